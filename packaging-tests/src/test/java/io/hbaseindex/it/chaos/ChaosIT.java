/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.packaging.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two minutes of {@code bin/chaos}, as a person runs it, and a saboteur that it must find out. */
@Tag("chaos")
class ChaosIT {
  /** Far above any good run, on a busy machine too: the last recoveries alone may take minutes. */
  private static final Duration HANG_LIMIT = Duration.ofMinutes(20);

  private static final String SEED = System.getProperty("hbaseindex.seed", "2");

  @TempDir private Path directory;

  @Test
  void twoMinutesOfFaults_nothingIsMissedOrInvented() throws Exception {
    int code = exitCode("--minutes", "2", "--seed", SEED);

    assertThat(said()).contains("\nmissed: 0\n", "\ninvented: 0\n");
    assertThat(code).as(said()).isZero();
  }

  @Test
  void strongReadsRoutedByOldFilters_areFoundOut() throws Exception {
    int code = exitCode("--minutes", "0.5", "--seed", SEED, "--staleness", "3600000");

    assertThat(said()).contains("MISSED: ");
    assertThat(code).isEqualTo(1);
  }

  private int exitCode(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(RepositoryRoot.path().resolve("bin/chaos").toString());
    command.addAll(List.of("--dir", directory.resolve("chaos").toString()));
    command.addAll(List.of(options));
    Process chaos =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile())
            .start();
    boolean ended = chaos.waitFor(HANG_LIMIT.toSeconds(), TimeUnit.SECONDS);
    chaos.destroy();
    assertThat(ended).as(said()).isTrue();
    assertThat(processesOf(directory)).isEmpty();
    return chaos.exitValue();
  }

  private String said() throws IOException {
    return "seed " + SEED + "; it said:\n" + Files.readString(directory.resolve("output"));
  }

  private static List<String> processesOf(Path directory) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains("hbaseindex.cluster=" + directory))
        .toList();
  }
}
