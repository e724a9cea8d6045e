/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.cli.exit.ExitCode;
import io.hbaseindex.cli.output.PipeWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens before any cluster is reached, and when none is. */
class HbaseIndexTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void help_listsCommandsAndExitCodes() {
    assertThat(run("--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("create", "drop", "list", "status", "query", "explain")
        .contains("verify", "repair", "rebuild", "generate-completion")
        .contains("3 cluster unreachable");
  }

  /** Java reads arguments by the locale, and puts this character where it cannot. */
  @Test
  void argumentThatJavaCouldNotRead_isRefused_notLookedFor() {
    assertThat(run("query", "t", "-w", "f:city = K\uFFFD\uFFFDflach")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("set LC_ALL=C.UTF-8").hasLineCount(1);
  }

  @Test
  void wrongUsage_endsWithTwo_andSaysWhat() {
    assertUsage("Name a command");
    assertUsage("Unmatched argument", "destroy");
    assertUsage("Did you mean: hbase-index query", "qeury", "t");
    assertUsage("See: hbase-index query --help", "query", "t", "-w", "f:city");
    assertUsage("--as: \"lng\" is no type", "query", "t", "-w", "f:a = b", "--as", "f:a=lng");
    assertUsage("write family:qualifier=type", "query", "t", "-w", "f:a = b", "--as", "f:a");
    assertUsage("Missing required", "create", "t", "by_a");
    assertUsage("write family:qualifier", "create", "t", "by_a", "-c", "city");
    assertUsage("its name was \"by a\"", "create", "t", "by a", "-c", "f:city");
    assertUsage("is there twice", "create", "t", "by_a", "-c", "f:a,f:a");
    assertUsage(
        "add f:a to the set", "create", "t", "by_a", "-c", "f:a,f:b,f:c", "--route", "f:b+f:c");
    assertUsage("write family:qualifier", "create", "t", "by_a", "-c", "f:a,f:b", "--route", "a+b");
    assertUsage("write family:qualifier", "create", "t", "by_a", "-c", "f:a", "--include", "b");
    assertUsage("it was lazy", "create", "t", "by_a", "-c", "f:a", "--include", "f:b", "--lazy");
    assertUsage("a backslash not followed by xHH", "create", "t", "by_a", "-c", "f:\\x");
    assertUsage(
        "--select: \"a\\q\" has a backslash", "query", "t", "-w", "f:a = b", "-s", "f:a\\q");
    assertUsage("--where: \"a\\x4\" has a backslash", "query", "t", "-w", "f:a\\x4 = b");
    assertUsage("--where: expected an operator", "query", "t", "-w", "f:city");
    assertUsage("ask for at least one", "query", "t", "-w", "f:city = a", "-n", "0");
    assertUsage("exclude each other", "query", "t", "-w", "f:a = b", "--count", "--exists");
    assertUsage("is no table name", "query", "no table", "-w", "f:a = b");
    assertUsage("--wait needs a table", "status", "--wait");
    assertUsage("--timeout was 0", "list", "--timeout", "0");
    assertUsage("give at most 86400 seconds", "list", "--timeout", "2147484");
    assertUsage("--wait-minutes was -1", "rebuild", "t", "--wait-minutes", "-1");
    assertUsage(
        "give 0 to 525600", "create", "t", "i", "-c", "f:a", "--wait-minutes", "2147483647");
    assertUsage("write host[,host][:port][/znode]", "list", "-z", "host:port");
    assertUsage("ports are 1 to 65535", "list", "-z", "host:99999");
    assertUsage("does not exist", "list", "--config", "/no/such/place");
  }

  @Test
  void error_endsWithFive_inOneLine() {
    PrintWriter failing =
        new PrintWriter(
            new StringWriter() {
              @Override
              public void write(String text, int from, int length) {
                throw new StackOverflowError();
              }
            });

    assertThat(HbaseIndex.run(failing, new PrintWriter(err, true), "generate-completion"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "hbase-index generate-completion: java.lang.StackOverflowError; see --stacktrace");
  }

  @Test
  void outputThatCannotBeWritten_endsWithFive() {
    PrintWriter full =
        new PrintWriter(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("No space left on device");
              }
            });

    assertThat(HbaseIndex.run(full, new PrintWriter(err, true), "--help"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains("Cannot write the output").hasLineCount(1);
  }

  /** As head does when it has seen enough; other tools are ended by a signal then, silently. */
  @Test
  void readerOfThePipeGone_endsQuietlyAsBySignal() {
    PrintWriter pipe =
        PipeWriter.to(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
              }

              @Override
              public void write(byte[] bytes, int from, int length) throws IOException {
                throw new IOException("Broken pipe");
              }
            });

    assertThat(HbaseIndex.run(pipe, new PrintWriter(err, true), "--help"))
        .isEqualTo(ExitCode.READER_GONE);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void configWithoutSiteFile_endsWithTwo(@TempDir Path empty) {
    assertUsage("has no hbase-site.xml in it", "list", "--config", empty.toString());
  }

  @Test
  void clusterDown_endsWithThree_saysWhatWasTried_andShowsNoStack() throws IOException {
    int closedPort = closedPort();
    int exitCode = run("list", "--timeout", "5", "-z", "localhost:" + closedPort + "/nowhere");

    assertThat(exitCode).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(err.toString())
        .contains("hbase-index list: Cannot reach HBase")
        .contains("ZooKeeper localhost port " + closedPort + " znode /nowhere (from --zookeeper)")
        .doesNotContain("\tat ");
    assertThat(err.toString().lines()).hasSize(1);
  }

  @Test
  void clusterDown_withStackTraceWanted_showsIt(@TempDir Path dir) throws IOException {
    Path site = dir.resolve("hbase-site.xml");
    Files.writeString(
        site,
        """
        <configuration>
          <property><name>hbase.zookeeper.quorum</name><value>localhost</value></property>
          <property>
            <name>hbase.zookeeper.property.clientPort</name><value>%d</value>
          </property>
        </configuration>
        """
            .formatted(closedPort()));

    assertThat(run("list", "--timeout", "5", "--config", site.toString(), "--stacktrace"))
        .isEqualTo(ExitCode.UNREACHABLE);
    assertThat(err.toString()).contains("configuration in " + site).contains("\tat ");
  }

  @Test
  void shell_runsLinesOfAScript_andEndsWithTheLastCode() throws IOException {
    String unreachable = "list --timeout 5 -z localhost:" + closedPort() + "\n";

    assertThat(shell("help\n\n")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("doctor", "query", "shell");
    assertThat(shell("help\nqeury t\n")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Did you mean: hbase-index query?");
    assertThat(shell("qeury t\n" + unreachable + "exit\nhelp\n")).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(shell("query t where f:city near x\n")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("--where: expected an operator");
  }

  private int shell(String script) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)));
    try {
      return run("shell");
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void completion_knowsCommandsAndOptions() {
    assertThat(run("generate-completion")).isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("complete").contains("--zookeeper").contains("rebuild");
  }

  private void assertUsage(String message, String... args) {
    err.getBuffer().setLength(0);
    assertThat(run(args)).as(String.join(" ", args)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(message).hasLineCount(2);
  }

  private int run(String... args) {
    return HbaseIndex.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
