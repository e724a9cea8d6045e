/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.Plot;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Shows what a cluster benchmark found and, if told to, keeps it in the documents. */
public final class ClusterReport {
  @Option(names = "--write-docs", description = "Write the tables into docs/BENCHMARKS.md.")
  private boolean writeDocs;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${sys:bench.docs}",
      description = "Where BENCHMARKS.md is; default: docs of this source tree.")
  private Path docs;

  /** A link to a plot, which is drawn if it is to be kept. */
  public String plot(String name, Plot plot) {
    return writeDocs ? "\n" + new Docs(docs).plot(name, plot) + "\n" : "";
  }

  /** Prints a table with its note, and writes it into its generated section. */
  public void publish(String section, String table) {
    System.out.println(table);
    if (writeDocs) {
      new Docs(docs).sectionsOf("BENCHMARKS.md").replace(section, table);
    }
  }
}
