/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.packaging.RepositoryRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two minutes of {@code bin/chaos}, as a person runs it. */
@Tag("chaos")
class ChaosIT {
  /** Far above any good run, on a busy machine too: the last recoveries alone may take minutes. */
  private static final Duration HANG_LIMIT = Duration.ofMinutes(20);

  private static final String SEED = System.getProperty("hbaseindex.seed", "2");

  @TempDir private Path directory;

  @Test
  void twoMinutesOfFaults_nothingIsMissedOrInvented() throws Exception {
    Path output = directory.resolve("output");
    Path state = directory.resolve("chaos");
    Process chaos =
        new ProcessBuilder(
                RepositoryRoot.path().resolve("bin/chaos").toString(),
                "--minutes",
                "2",
                "--seed",
                SEED,
                "--dir",
                state.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = chaos.waitFor(HANG_LIMIT.toSeconds(), TimeUnit.SECONDS);
    chaos.destroy();
    String said = Files.readString(output);

    assertThat(ended).as("seed %s; it said:%n%s", SEED, said).isTrue();
    assertThat(chaos.exitValue()).as("seed %s; it said:%n%s", SEED, said).isZero();
    assertThat(Files.readString(state.resolve("report.md"))).contains("missed: 0", "invented: 0");
    assertThat(processesOf(state)).isEmpty();
  }

  private static List<String> processesOf(Path directory) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains("hbaseindex.cluster=" + directory))
        .toList();
  }
}
