/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cli;

import io.hbaseindex.cli.HbaseIndex;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/** Runs commands as a person would, and keeps what they print. */
final class Shell {
  private final String zookeeper;

  Shell(TestCluster cluster) {
    this.zookeeper =
        "%s:%s%s"
            .formatted(
                cluster.configuration().get(HConstants.ZOOKEEPER_QUORUM),
                cluster.configuration().get(HConstants.ZOOKEEPER_CLIENT_PORT),
                cluster
                    .configuration()
                    .get(
                        HConstants.ZOOKEEPER_ZNODE_PARENT,
                        HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT));
  }

  /** What a command ended with and printed. */
  record Outcome(int exitCode, String out, String err) {
    JsonObject json() {
      return JsonParser.parseString(out).getAsJsonObject();
    }
  }

  /** Runs one command on the cluster. */
  Outcome run(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--zookeeper", zookeeper, "--timeout", "60"));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        HbaseIndex.run(
            new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
    System.out.printf("$ hbase-index %s%n%s%s", String.join(" ", args), out, err);
    return new Outcome(exitCode, out.toString(), err.toString());
  }
}
