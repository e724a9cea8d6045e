/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.Seed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo does what it says, and leaves nothing behind. */
@Tag("packaging")
class DemoIT {
  private static final Pattern ROW =
      Pattern.compile(
          "^   (plain scan|hbase-index) +([0-9,]+) +([0-9.]+) ms +(\\d+) of (\\d+) +(\\d+) of (\\d+) +([0-9,]+)$",
          Pattern.MULTILINE);

  /** Of an answer that the index gives in place of rows: rows and postings read. */
  private static final Pattern BY_ITSELF =
      Pattern.compile(
          "^   (plain scan|hbase-index) +[0-9.]+ ms +([0-9,]+) +([0-9,]+)$", Pattern.MULTILINE);

  @TempDir private Path directory;

  @Test
  void demo_fromStartToEnd_touchesOnlyRegionsThatHoldTheValue() throws Exception {
    try (DemoProcess demo = DemoProcess.start(directory, "--rows", "20000")) {
      assertThat(demo.exitCode()).as(demo.output()).isZero();

      List<Asked> asked = ROW.matcher(demo.output()).results().map(Asked::of).toList();
      assertThat(asked).as(demo.output()).hasSize(10);
      for (int i = 0; i < asked.size(); i += 2) {
        Asked plain = asked.get(i);
        assertThat(plain.way()).isEqualTo("plain scan");
        assertThat(plain.regions()).isEqualTo(12);
        assertThat(plain.servers()).isEqualTo(3);
        assertThat(plain.rowsRead()).isBetween(19_999L, 20_000L);
        assertThat(asked.get(i + 1).rows()).isEqualTo(plain.rows());
      }
      Asked unique = asked.get(1);
      assertThat(unique).isEqualTo(new Asked("hbase-index", 1, 1, 1, 1));
      Asked absent = asked.get(3);
      assertThat(absent).isEqualTo(new Asked("hbase-index", 0, 0, 0, 0));
      Asked city = asked.get(5);
      assertThat(city.rows()).isEqualTo(5);
      assertThat(city.regions()).isBetween(1, 6);
      Asked both = asked.get(7);
      assertThat(both.rows()).isPositive();
      assertThat(both.regions()).isBetween(1, (int) both.rows() + 1);
      Asked deleted = asked.get(9);
      assertThat(deleted).isEqualTo(absent);
      assertAnsweredByTheIndexItself(demo.output());
      demo.awaitNothingLeft();
      assertThat(Files.size(directory.resolve("demo.log"))).isPositive();
    }
  }

  /** Counts, orders with limits, included columns, a range, a sum, a partial index, and times. */
  private static void assertAnsweredByTheIndexItself(String output) {
    List<MatchResult> ways = BY_ITSELF.matcher(output).results().toList();
    assertThat(ways).as(output).hasSize(14);
    for (int i = 0; i < ways.size(); i += 2) {
      assertThat(ways.get(i).group(1)).isEqualTo("plain scan");
      // The row that was deleted is read, too. HBase's metrics of a scan without a filter have said
      // up to two more; no other reader is in them, and why is not known.
      assertThat(Asked.number(ways.get(i).group(2))).isBetween(19_999L, 20_002L);
      assertThat(Asked.number(ways.get(i + 1).group(2))).as(output).isZero();
      assertThat(Asked.number(ways.get(i + 1).group(3))).as(output).isPositive();
    }
    assertThat(output)
        .contains("Where do most people live?", "(ORDER BY joined DESC LIMIT 3)", "the names")
        .contains(
            "AND joined BETWEEN",
            "(SUM, COUNT, AVG)",
            "The index blocked is partial",
            "(GROUP BY day)");
  }

  @Test
  void demo_endedAtARandomPoint_leavesNothingBehind() throws Exception {
    long seed = Seed.choose(1).get(0);
    Seed.announce(DemoIT.class, seed);
    int millis = new Random(seed).nextInt(25_000);
    try (DemoProcess demo = DemoProcess.start(directory, "--keep")) {
      TimeUnit.MILLISECONDS.sleep(millis);
      assertThat(demo.runs()).as(demo.output()).isTrue();

      demo.terminate();

      // 143 is the JVM's own code, before the demo has begun to look out for signals.
      assertThat(demo.exitCode()).as("after %d ms: %s", millis, demo.output()).isIn(130, 143);
      demo.awaitNothingLeft();
    }
  }

  @Test
  void demo_killedAtOnce_leavesNothingBehind() throws Exception {
    try (DemoProcess demo = DemoProcess.start(directory, "--keep")) {
      demo.awaitSomethingMade();

      demo.kill();

      assertThat(demo.exitCode()).as(demo.output()).isEqualTo(137);
      demo.awaitNothingLeft();
    }
  }

  @Test
  void demo_withTooFewRows_saysWhatItTakes() throws Exception {
    try (DemoProcess demo = DemoProcess.start(directory, "--rows", "7")) {
      assertThat(demo.exitCode()).isEqualTo(2);
      assertThat(demo.output()).contains("Cannot show 7 rows: the demo takes 1,000 to 2,000,000");
      assertThat(demo.leftBehind()).isEmpty();
    }
  }

  /** One line of the tour. */
  private record Asked(String way, long rows, int regions, int servers, long rowsRead) {
    static Asked of(MatchResult line) {
      return new Asked(
          line.group(1),
          number(line.group(2)),
          Integer.parseInt(line.group(4)),
          Integer.parseInt(line.group(6)),
          number(line.group(8)));
    }

    static long number(String text) {
      return Long.parseLong(text.replace(",", ""));
    }
  }
}
