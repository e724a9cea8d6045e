/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How {@code packaging-tests/bin/cluster} watches its processes. The processes are shell scripts
 * that say what the servers' logs would say; what the servers do is tested with real ones.
 */
@Tag("packaging")
class ClusterScriptIT {
  private static final String SERVER =
      """
      #!/usr/bin/env bash
      [[ "$*" != *-format* ]] || exec sleep 1
      echo 'NameNode RPC up at'
      echo 'Serving as '
      echo 'Master has completed initialization'
      while sleep 1; do :; done
      """;

  /** Every process that the script begins stays a copy of the script for this long. */
  private static final String SLOW_TO_BECOME_A_SERVER = "() { sleep 1; builtin cd \"$@\"; }";

  @TempDir private Path root;

  @Test
  void start_processesThatTakeTheirTimeToBecomeServers_areWaitedFor() throws Exception {
    Path script = installScript();

    String said = run(script, "start");

    try {
      assertThat(said).contains("The cluster is up").endsWith("exit code 0");
      assertThat(run(script, "status")).doesNotContain("down").endsWith("exit code 0");
    } finally {
      run(script, "stop", "--now");
    }
  }

  @Test
  void start_serverThatEndsAtOnce_isNamed() throws Exception {
    Path script = installScript();
    executable(root.resolve("java-home/bin/java"), "#!/usr/bin/env bash\nexit 1\n");

    String said = run(script, "start");

    assertThat(said).contains("namenode has ended").endsWith("exit code 1");
  }

  /** The script finds what it needs by its own place in the tree. */
  private Path installScript() throws IOException {
    Path original = RepositoryRoot.path().resolve("packaging-tests/bin/cluster");
    Path script = root.resolve("packaging-tests/bin/cluster");
    write(root.resolve("packaging-tests/target/cluster.classpath"), "nothing.jar\n");
    write(root.resolve("hbase-index-server/target/hbase-index-server-1.jar"), "");
    executable(script, Files.readString(original));
    executable(root.resolve("java-home/bin/java"), SERVER);
    return script;
  }

  private static void executable(Path file, String content) throws IOException {
    write(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private String run(Path script, String... arguments) throws Exception {
    List<String> command =
        Stream.concat(Stream.of(script.toString()), Stream.of(arguments)).toList();
    Path output = Files.createTempFile(root, "script", ".out");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", root.resolve("java-home").toString());
    builder.environment().put("BASH_FUNC_cd%%", SLOW_TO_BECOME_A_SERVER);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    int code = builder.start().waitFor();
    return Files.readString(output) + "exit code " + code;
  }
}
