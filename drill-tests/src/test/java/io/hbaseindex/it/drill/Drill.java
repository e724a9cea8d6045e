/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.drill;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Drill in a process of its own: its jars, HBase's, and the client jar as users get it. */
final class Drill implements AutoCloseable {
  /** What Drill's own start script opens for it. */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.lang",
          "java.base/java.util",
          "java.base/sun.nio.ch",
          "java.base/java.net",
          "java.base/java.nio",
          "java.security.jgss/sun.security.krb5");

  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter queries;
  private final Path log;

  private Drill(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.queries = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  /**
   * Starts it and waits until it takes queries.
   *
   * @param directory where its settings and its log go
   * @param plugins its plugins for HBase by name, each with its {@code config}
   */
  static Drill start(Path directory, Map<String, Map<String, String>> plugins) throws IOException {
    Files.writeString(
        directory.resolve("drill-override.conf"),
        """
        drill.exec: {
          cluster-id: "tests"
          http.enabled: false
          grace_period_ms: 0
          # Rows are sampled for an estimate of their size, without any condition.
          hbase.scan.samplerows.count: 0
          sys.store.provider: {
            class: "org.apache.drill.exec.store.sys.store.provider.LocalPersistentStoreProvider"
            local.path: "%1$s/store"
          }
          tmp.directories: ["%1$s/tmp"]
          spill.directories: ["%1$s/spill"]
          udf.directory.local: "%1$s/udf"
        }
        """
            .formatted(directory));
    Files.writeString(
        directory.resolve("storage-plugins-override.conf"),
        plugins.entrySet().stream()
            .map(plugin -> plugin(plugin.getKey(), plugin.getValue()))
            .collect(Collectors.joining("\n", "\"storage\": {\n", "}\n")));
    Path log = directory.resolve("drill.log");
    Path built = Path.of(System.getProperty("hbaseindex.drillbit"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:MaxDirectMemorySize=1g"));
    OPENED.forEach(part -> command.addAll(List.of("--add-opens", part + "=ALL-UNNAMED")));
    command.addAll(
        List.of(
            "-cp",
            String.join(
                File.pathSeparator,
                directory.toString(),
                built.resolve("classes").toString(),
                System.getProperty("hbaseindex.client.jar"),
                Files.readString(built.resolve("drill.classpath")).strip()),
            "io.hbaseindex.it.drill.process.DrillProgram"));
    Drill drill = new Drill(new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
    drill.readAnswer();
    return drill;
  }

  private static String plugin(String name, Map<String, String> config) {
    return config.entrySet().stream()
        .map(setting -> "      \"%s\": \"%s\"".formatted(setting.getKey(), setting.getValue()))
        .collect(
            Collectors.joining(
                "\n",
                "  %s: {\n    type: \"hbase\"\n    enabled: true\n    config: {\n".formatted(name),
                "\n    }\n  }"));
  }

  /** The rows of a query's answer, values between tabs. */
  List<String> ask(String query) throws IOException {
    queries.println(query.replace('\n', ' '));
    return readAnswer();
  }

  private List<String> readAnswer() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith("! ")) {
        throw new IOException("Drill said " + line.substring(2));
      }
      if (line.startsWith("= ")) {
        return rows;
      }
      rows.add(line);
    }
    throw new IOException("Drill has ended; its log was " + Files.readString(log));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    queries.close();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("Drill did not end; its log was " + Files.readString(log));
    }
  }
}
