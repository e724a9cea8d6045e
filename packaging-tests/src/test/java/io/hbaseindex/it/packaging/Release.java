/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The release archive, unpacked somewhere else than it was built, without Maven in reach. */
final class Release {
  private static final Duration HANG_LIMIT = Duration.ofMinutes(3);

  private final Path home;
  private final Path scratch;

  private Release(Path home, Path scratch) {
    this.home = home;
    this.scratch = scratch;
  }

  /** What a command said and ended with. */
  record Said(int exitCode, String text) {}

  /** Unpacks the archive of this build. */
  static Release unpack(Path directory) throws Exception {
    String name = "hbase-index-" + System.getProperty("hbaseindex.version");
    Path archive = RepositoryRoot.path().resolve("hbase-index-dist/target/" + name + ".tar.gz");
    if (!Files.isRegularFile(archive)) {
      throw new IllegalStateException(
          "Cannot test " + archive + ": it was not there; run mvn verify, which packages it first");
    }
    Release release = new Release(directory.resolve(name), directory);
    Said said =
        release.run(Map.of(), "tar", "-xzf", archive.toString(), "-C", directory.toString());
    if (said.exitCode() != 0) {
      throw new IOException("Cannot unpack " + archive + ": " + said.text());
    }
    return release;
  }

  Path home() {
    return home;
  }

  /** Where the command line keeps what makes it start faster. */
  Path cache() {
    return scratch.resolve("cache");
  }

  /** Runs the command line of the release. */
  Said hbaseIndex(String... arguments) throws Exception {
    return hbaseIndex(Map.of(), arguments);
  }

  /** Runs the command line of the release with further variables in its environment. */
  Said hbaseIndex(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/hbase-index").toString()));
    command.addAll(List.of(arguments));
    return run(environment, command.toArray(String[]::new));
  }

  private Said run(Map<String, String> environment, String... command) throws Exception {
    Path output = Files.createTempFile(scratch, "said", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(scratch.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("HBASE_INDEX_CACHE", cache().toString());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    if (!process.waitFor(HANG_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("Cannot wait longer for " + List.of(command));
    }
    return new Said(process.exitValue(), Files.readString(output));
  }
}
