/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase's own tests of client scanners, run against connections that were replaced by
 * configuration: to a user nothing changes. They start clusters and so have a process of their own.
 */
@Tag("cluster")
class HBaseScannerTestsIT {
  private static final long HANG_MINUTES = 10;

  private static final List<String> TESTS =
      List.of(
          "org.apache.hadoop.hbase.client.TestScannersFromClientSide",
          "org.apache.hadoop.hbase.client.TestLimitedScanWithFilter");

  private static final String SITE =
      """
      <?xml version="1.0"?>
      <configuration>
        <property>
          <name>hbase.client.connection.impl</name>
          <value>io.hbaseindex.client.IndexedConnection</value>
        </property>
        <property>
          <name>hbase.client.async.connection.impl</name>
          <value>io.hbaseindex.client.IndexedAsyncConnection</value>
        </property>
      </configuration>
      """;

  @Test
  void hbasesOwnScannerTests_underIndexedConnections_pass(@TempDir Path directory)
      throws Exception {
    Files.writeString(directory.resolve("hbase-site.xml"), SITE);
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command(directory))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(HANG_MINUTES, TimeUnit.MINUTES)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }

    String summary = summary(output);
    System.out.println(summary);
    assertThat(process.exitValue()).as(summary).isZero();
    assertThat(summary).containsPattern("PASSED [1-9][0-9]");
  }

  private static List<String> command(Path site) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    for (String opened : List.of("java.lang", "java.lang.reflect", "java.nio")) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.add("-cp");
    command.add(site + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(HBaseTestRunner.class.getName());
    command.addAll(TESTS);
    return command;
  }

  private static String summary(Path output) throws IOException {
    List<String> lines = Files.readAllLines(output);
    int from = 0;
    while (from < lines.size() && !lines.get(from).startsWith("org.apache.hadoop.hbase")) {
      from++;
    }
    List<String> relevant =
        from < lines.size()
            ? lines.subList(from, lines.size())
            : lines.subList(Math.max(0, lines.size() - 60), lines.size());
    return String.join("\n", relevant.subList(0, Math.min(200, relevant.size())));
  }
}
