/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code bin/hbase-index} ends with when it cannot even begin. */
@Tag("packaging")
class LauncherIT {
  private static final int CLI_FAILED = 5;
  private static final int DEMO_FAILED = 1;

  @Test
  void noJava_endsWithTheCommandsCodeForFailures(@TempDir Path empty) throws Exception {
    assertThat(exitCode(empty, "verify", "t")).isEqualTo(CLI_FAILED);
    assertThat(exitCode(empty)).isEqualTo(CLI_FAILED);
    assertThat(exitCode(empty, "demo")).isEqualTo(DEMO_FAILED);
  }

  private static int exitCode(Path javaHome, String... arguments) throws Exception {
    String launcher = RepositoryRoot.path().resolve("bin/hbase-index").toString();
    List<String> command = Stream.concat(Stream.of(launcher), Stream.of(arguments)).toList();
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", javaHome.toString());
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    return builder.start().waitFor();
  }
}
