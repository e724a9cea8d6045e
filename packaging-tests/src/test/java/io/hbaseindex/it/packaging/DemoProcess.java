/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * {@code bin/hbase-index demo} as a process of its own, as a person starts it. Its temporary files
 * go to a directory of the test, so that what it leaves behind is seen.
 */
final class DemoProcess implements AutoCloseable {
  /** Far above any good run, on a busy machine too. */
  private static final Duration HANG_LIMIT = Duration.ofMinutes(8);

  private final Process process;
  private final Path temporary;
  private final Path output;

  private DemoProcess(Process process, Path temporary, Path output) {
    this.process = process;
    this.temporary = temporary;
    this.output = output;
  }

  /** Starts it from another directory and through a symbolic link. */
  static DemoProcess start(Path directory, String... options) throws IOException {
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Path output = directory.resolve("output");
    Path link = directory.resolve("hbase-index");
    Files.createSymbolicLink(link, RepositoryRoot.path().resolve("bin/hbase-index"));
    ProcessBuilder builder =
        new ProcessBuilder(
            Stream.concat(Stream.of(link.toString(), "demo"), Stream.of(options)).toList());
    builder.directory(directory.toFile());
    // The build under test is what runs here: it is complete, and must not be repeated inside.
    builder.environment().put("HBASE_INDEX_BUILD", "never");
    builder
        .environment()
        .put(
            "HBASE_INDEX_OPTS",
            "-Djava.io.tmpdir=%s -Dhbaseindex.demo.log=%s"
                .formatted(temporary, directory.resolve("demo.log")));
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    return new DemoProcess(builder.start(), temporary, output);
  }

  /** Waits for its end and gives its exit code. */
  int exitCode() throws Exception {
    if (!process.waitFor(HANG_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException("Cannot wait longer for the demo; it has said:\n" + output());
    }
    return process.exitValue();
  }

  boolean runs() {
    return process.isAlive();
  }

  /** Ends it as a terminal or a service manager does. */
  void terminate() {
    process.destroy();
  }

  /** Ends it without giving it a chance to do anything about it. */
  void kill() {
    process.destroyForcibly();
  }

  String output() throws IOException {
    return Files.readString(output);
  }

  /** What it made in the directory for temporary files and that is still there. */
  List<Path> leftBehind() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.toList();
    }
  }

  /** Waits until it has begun to make files of its cluster. */
  void awaitSomethingMade() {
    Awaitility.await()
        .atMost(HANG_LIMIT)
        .ignoreException(UncheckedIOException.class) // a file went while the tree was read
        .until(() -> filesBelow(temporary) > 10);
  }

  /** Waits for the last of its processes, which removes the last of its files. */
  void awaitNothingLeft() {
    Awaitility.await()
        .atMost(HANG_LIMIT)
        .untilAsserted(
            () -> {
              assertThat(leftBehind()).isEmpty();
              assertThat(stillRunning()).isEmpty();
            });
  }

  /** Processes that were started for the directory for temporary files, and still run. */
  private List<String> stillRunning() {
    return ProcessHandle.allProcesses()
        .map(one -> one.info().commandLine().orElse(""))
        .filter(line -> line.contains(temporary.toString()))
        .toList();
  }

  private static long filesBelow(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.count();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
