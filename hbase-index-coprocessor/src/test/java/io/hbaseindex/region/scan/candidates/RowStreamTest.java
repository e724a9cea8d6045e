/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The algebra of candidate streams against sorted sets. */
class RowStreamTest {
  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void randomTree_walkedOneByOne_givesTheSetInOrder(long seed) throws IOException {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Tree tree = randomTree(random, 3);
      List<byte[]> walked = new ArrayList<>();
      byte[] row = tree.stream.seek(new byte[0]);
      while (row != null) {
        walked.add(row);
        row = tree.stream.seek(RowBounds.after(row));
      }
      assertThat(walked)
          .as("seed %d round %d", seed, round)
          .usingElementComparator(ORDER)
          .containsExactlyElementsOf(tree.rows);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomTree_soughtAtRandomAscendingRows_givesTheCeiling(long seed) throws IOException {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Tree tree = randomTree(random, 3);
      NavigableSet<byte[]> questions = randomRows(random, 12);
      for (byte[] from : questions) {
        assertThat(tree.stream.seek(from))
            .as("seed %d round %d from %s", seed, round, Arrays.toString(from))
            .isEqualTo(tree.rows.ceiling(from));
      }
    }
  }

  @Test
  void intersection_ofStreamsThatNeverAgree_returnsAfterBoundedWork() throws IOException {
    int rows = 10 * IntersectionStream.MAX_LEAPS;
    CountingStream even = new CountingStream(0, rows);
    CountingStream odd = new CountingStream(1, rows);
    RowStream both = new IntersectionStream(List.of(even, odd));

    byte[] reached = both.seek(key(0));
    assertThat(even.calls + odd.calls).isEqualTo(IntersectionStream.MAX_LEAPS);
    assertThat(ORDER.compare(reached, key(0))).as("it has come further").isPositive();

    int calls = 1;
    while (reached != null) {
      reached = both.seek(RowBounds.after(reached));
      calls++;
    }
    assertThat(calls).as("and ends").isLessThan(rows / IntersectionStream.MAX_LEAPS + 3);
  }

  @Test
  void intersection_ofShortAndLong_costsAsMuchAsTheShort() throws IOException {
    CountingStream everySecond = new CountingStream(0, 100_000);
    RowStream few = sorted(key(50_000), key(70_000));
    RowStream both = new IntersectionStream(List.of(everySecond, few));
    assertThat(both.seek(key(0))).isEqualTo(key(50_000));
    assertThat(both.seek(RowBounds.after(key(50_000)))).isEqualTo(key(70_000));
    assertThat(both.seek(RowBounds.after(key(70_000)))).isNull();
    assertThat(everySecond.calls).isLessThan(10);
  }

  @Test
  void postingsOf_union_namesOnlyThoseOfTheRow() throws IOException {
    RowStream left = sorted(key(1), key(3));
    RowStream right = sorted(key(2), key(3));
    RowStream union = new UnionStream(List.of(left, right));
    assertThat(union.seek(key(1))).isEqualTo(key(1));
    assertThat(postingsOf(union, key(1))).hasSize(1);
    assertThat(union.seek(key(3))).isEqualTo(key(3));
    assertThat(postingsOf(union, key(3))).hasSize(2);
  }

  @Test
  void sortedPostings_rowWithTwoPostings_isNamedOnceWithBoth() {
    SortedPostings.Collector collector = new SortedPostings.Collector(new SortBudget(10, 10_000));
    collector.add(new byte[] {'b', 7}, 1, false);
    collector.add(new byte[] {'a', 7}, 1, false);
    collector.add(new byte[] {'c', 8}, 1, false);
    SortedPostings postings = collector.sorted();
    assertThat(postings.seek(new byte[] {0})).isEqualTo(new byte[] {7});
    assertThat(postingsOf(postings, new byte[] {7})).hasSize(2);
    assertThat(postings.seek(RowBounds.after(new byte[] {7}))).isEqualTo(new byte[] {8});
  }

  @Test
  void collector_withoutMemory_takesNoMore() {
    SortedPostings.Collector collector = new SortedPostings.Collector(new SortBudget(100, 120));
    assertThat(collector.add(new byte[30], 0, false)).isTrue();
    assertThat(collector.add(new byte[30], 0, false)).isFalse();
  }

  @Test
  void budget_sharedByRanges_endsForAll() {
    SortBudget budget = new SortBudget(32, 3200);
    SortBudget share = budget.forNarrowing();
    assertThat(share.read()).isTrue();
    assertThat(share.read()).isTrue();
    assertThat(share.read()).as("a sixteenth").isFalse();
    assertThat(share.keep(200)).isTrue();
    assertThat(share.keep(1)).isFalse();
    for (int i = 0; i < 30; i++) {
      assertThat(budget.read()).as("read %d", i).isTrue();
    }
    assertThat(budget.read()).isFalse();
    assertThat(budget.keep(3000)).isTrue();
    assertThat(budget.keep(1)).isFalse();
  }

  /** A stream and what it should hold. */
  private record Tree(RowStream stream, NavigableSet<byte[]> rows) {}

  private static Tree randomTree(Random random, int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      NavigableSet<byte[]> rows = randomRows(random, 40);
      return new Tree(sorted(rows.toArray(byte[][]::new)), rows);
    }
    List<RowStream> streams = new ArrayList<>();
    NavigableSet<byte[]> rows = null;
    boolean union = random.nextBoolean();
    for (int i = random.nextInt(3); i >= 0; i--) {
      Tree member = randomTree(random, depth - 1);
      streams.add(member.stream);
      if (rows == null) {
        rows = new TreeSet<>(member.rows);
      } else if (union) {
        rows.addAll(member.rows);
      } else {
        rows.retainAll(member.rows);
      }
    }
    return new Tree(union ? new UnionStream(streams) : new IntersectionStream(streams), rows);
  }

  /** Keys over few letters and lengths, so that they collide and are prefixes of one another. */
  private static NavigableSet<byte[]> randomRows(Random random, int most) {
    NavigableSet<byte[]> rows = new TreeSet<>(ORDER);
    for (int i = random.nextInt(most); i > 0; i--) {
      byte[] row = new byte[1 + random.nextInt(3)];
      for (int j = 0; j < row.length; j++) {
        row[j] = (byte) new int[] {0x00, 0x01, 0x7F, 0x80, 0xFF}[random.nextInt(5)];
      }
      rows.add(row);
    }
    return rows;
  }

  private static RowStream sorted(byte[]... rows) {
    SortedPostings.Collector collector =
        new SortedPostings.Collector(new SortBudget(rows.length, 1 << 20));
    List<byte[]> shuffled = new ArrayList<>(List.of(rows));
    Collections.shuffle(shuffled, new Random(rows.length));
    for (byte[] row : shuffled) {
      assertThat(collector.add(row, 0, false)).isTrue();
    }
    return collector.sorted();
  }

  private static List<byte[]> postingsOf(RowStream stream, byte[] row) {
    List<byte[]> postings = new ArrayList<>();
    stream.postingsOf(row, postings::add);
    return postings;
  }

  private static byte[] key(int number) {
    return new byte[] {(byte) (number >>> 16), (byte) (number >>> 8), (byte) number};
  }

  /** Every second number from a first one on, below a limit. */
  private static final class CountingStream implements RowStream {
    private final int remainder;
    private final int end;
    private int calls;

    CountingStream(int remainder, int end) {
      this.remainder = remainder;
      this.end = end;
    }

    @Override
    public byte[] seek(byte[] from) {
      calls++;
      int number = (from[0] & 0xFF) << 16 | (from[1] & 0xFF) << 8 | from[2] & 0xFF;
      number += from.length > 3 ? 1 : 0;
      number += number % 2 == remainder ? 0 : 1;
      return number < end ? key(number) : null;
    }

    @Override
    public boolean answersFor(byte[] row, Consumer<CertainPosting> certain) {
      return false;
    }

    @Override
    public void postingsOf(byte[] row, Consumer<byte[]> postings) {
      postings.accept(row);
    }
  }
}
