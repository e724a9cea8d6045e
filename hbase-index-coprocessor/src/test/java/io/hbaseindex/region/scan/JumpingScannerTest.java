/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import io.hbaseindex.region.metrics.WriteRefusal;
import io.hbaseindex.region.scan.candidates.Candidates;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import io.hbaseindex.region.scan.candidates.RowStream;
import io.hbaseindex.region.scan.candidates.ScanTally;
import io.hbaseindex.region.scan.candidates.SortBudget;
import io.hbaseindex.region.scan.candidates.SortedPostings;
import io.hbaseindex.region.scan.plan.AccessPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The jumps themselves, over a scanner that is no more than a sorted set: cases that a cluster
 * cannot be brought to at will, such as postings that fail in the middle.
 */
class JumpingScannerTest {
  private final NavigableSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
  private final Counts counts = new Counts();
  private final List<byte[]> reported = new ArrayList<>();
  private Optional<RowTally> count = Optional.empty();
  private boolean reseekFails;

  @Test
  void jumps_readCandidatesOnly() throws IOException {
    addRows(0, 1000);
    List<String> found = scan(matching(100), candidates(every(100)), 1_000_000);
    assertThat(found).hasSize(10).startsWith("r0000", "r0100");
    assertThat(counts.get(IndexCounter.ROWS_READ)).isEqualTo(10);
    assertThat(counts.get(IndexCounter.CANDIDATES)).isEqualTo(10);
    assertThat(reported).isEmpty();
  }

  @Test
  void candidatesThatDoNotMatch_areCountedAndReported() throws IOException {
    addRows(0, 1000);
    List<String> found = scan(matching(100), candidates(every(50)), 1_000_000);
    assertThat(found).hasSize(10);
    assertThat(counts.get(IndexCounter.ROWS_READ)).isEqualTo(20);
    assertThat(counts.get(IndexCounter.STALE_CANDIDATES)).isEqualTo(10);
    assertThat(reported).hasSize(10);
  }

  @Test
  void candidatesWhoseRowIsGone_costAtMostOneRowEach() throws IOException {
    addRows(0, 1000);
    rows.removeIf(row -> Bytes.toString(row).endsWith("50"));
    List<String> found = scan(matching(100), candidates(every(50)), 1_000_000);
    assertThat(found).hasSize(10);
    assertThat(counts.get(IndexCounter.STALE_CANDIDATES)).isEqualTo(10);
    assertThat(counts.get(IndexCounter.ROWS_READ)).isLessThanOrEqualTo(20);
  }

  @Test
  void lastCandidateWhoseRowIsGone_isStillReported() throws IOException {
    addRows(0, 10);
    List<String> found = scan(row -> true, candidates(List.of("r0003", "r0999")), 1_000_000);
    assertThat(found).containsExactly("r0003");
    assertThat(counts.get(IndexCounter.STALE_CANDIDATES)).isEqualTo(1);
    assertThat(reported).hasSize(1);
  }

  @ParameterizedTest(name = "after {0} answers")
  @ValueSource(ints = {0, 1, 2, 5, 9, 10})
  void postingsThatFailInTheMiddle_losesAndRepeatsNothing(int answers) throws IOException {
    addRows(0, 1000);
    RowStream failing = new FailingStream(candidates(every(50)), answers);
    List<String> found = scan(matching(100), failing, 1_000_000);
    assertThat(found).isEqualTo(every(100));
    assertThat(counts.get(IndexCounter.CUT_OFF_READ_FAILED)).isEqualTo(1);
  }

  @Test
  void scannerThatCannotBeMoved_failsTheScan() {
    addRows(0, 1000);
    reseekFails = true;
    assertThatThrownBy(() -> scan(matching(100), candidates(every(100)), 1_000_000))
        .as("it may have lost its place, and walking on would skip rows")
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot seek");
  }

  @Test
  void neighbours_endTheJumps() throws IOException {
    addRows(0, 2000);
    List<String> found = scan(row -> true, candidates(every(1)), 100);
    assertThat(found).hasSize(2000);
    assertThat(counts.get(IndexCounter.CUT_OFF_DENSE)).isEqualTo(1);
    assertThat(counts.get(IndexCounter.ROWS_READ)).isEqualTo(2000);
  }

  @Test
  void mostlyStale_endsTheJumps() throws IOException {
    addRows(0, 10_000);
    List<String> found = scan(matching(100), candidates(every(5)), 100);
    assertThat(found).isEqualTo(every(100));
    assertThat(counts.get(IndexCounter.CUT_OFF_STALE)).isEqualTo(1);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void randomRowsAndCandidates_withProbesAndCutOffs_giveEveryMatchOnce(long seed)
      throws IOException {
    Random random = new Random(seed);
    for (int round = 0; round < 60; round++) {
      rows.clear();
      addRows(0, 600);
      rows.removeIf(row -> random.nextInt(10) == 0);
      NavigableSet<String> matches = new TreeSet<>();
      NavigableSet<String> named = new TreeSet<>();
      int density = 1 + random.nextInt(8);
      for (int i = 0; i < 600; i++) {
        if (random.nextInt(density) == 0) {
          named.add(name(i));
          if (random.nextInt(3) > 0) {
            matches.add(name(i));
          }
        }
      }
      Predicate<byte[]> filter = row -> matches.contains(Bytes.toString(row));
      List<String> expected = rows.stream().filter(filter).map(Bytes::toString).toList();
      int after = random.nextInt(100);
      assertThat(scan(filter, candidates(new ArrayList<>(named)), after))
          .as("seed %d round %d", seed, round)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void counting_randomCandidatesOfWhichSomeAnswer_countsEveryMatchOnce(long seed)
      throws IOException {
    Random random = new Random(seed);
    long answered = 0;
    for (int round = 0; round < 60; round++) {
      rows.clear();
      addRows(0, 600);
      rows.removeIf(row -> random.nextInt(10) == 0);
      NavigableSet<String> matches = new TreeSet<>();
      Map<String, Boolean> named = new TreeMap<>();
      int density = 1 + random.nextInt(8);
      int uncertain = 1 + random.nextInt(4);
      for (int i = 0; i < 600; i++) {
        boolean present = rows.contains(Bytes.toBytes(name(i)));
        boolean matching = present && random.nextInt(density) == 0;
        if (matching) {
          matches.add(name(i));
        }
        if (matching || random.nextInt(density) == 0) {
          named.put(name(i), matching && random.nextInt(uncertain) == 0);
        }
      }
      RowStream stream = candidates(named);
      if (random.nextInt(4) == 0) {
        stream = new FailingStream(stream, random.nextInt(100));
      }
      RowTally rowCount =
          new RowTally(
              new CountedRows.Request(
                  Long.MAX_VALUE, Optional.empty(), Optional.empty(), Optional.empty()));
      count = Optional.of(rowCount);
      Predicate<byte[]> filter = row -> matches.contains(Bytes.toString(row));

      List<String> read = scan(filter, stream, random.nextInt(100));

      assertThat(read).as("seed %d round %d", seed, round).doesNotHaveDuplicates();
      assertThat(rowCount.byPostings() + read.size())
          .as("seed %d round %d", seed, round)
          .isEqualTo(matches.size());
      answered += rowCount.byPostings();
    }
    assertThat(answered).isPositive();
  }

  @Test
  void counting_enoughIsCounted_readsNoFurtherPostings() throws IOException {
    addRows(0, 1000);
    Map<String, Boolean> named = new TreeMap<>();
    every(10).forEach(name -> named.put(name, true));
    count =
        Optional.of(
            new RowTally(
                new CountedRows.Request(3, Optional.empty(), Optional.empty(), Optional.empty())));

    assertThat(scan(matching(10), candidates(named), 1_000_000)).isEmpty();
    assertThat(count.get().byPostings()).isEqualTo(3);
    assertThat(count.get().last()).isEqualTo(Bytes.toBytes("r0020"));
    assertThat(counts.get(IndexCounter.ROWS_READ)).isZero();
  }

  private List<String> scan(Predicate<byte[]> filter, RowStream candidates, int cutOffAfter)
      throws IOException {
    ScanIntent intent =
        new ScanIntent(
            new Scan(),
            new RowPredicate.Column(ColumnRef.of("f", "q"), ValueRange.atLeast(new byte[0])),
            new AccessPlan.Nothing(),
            true,
            count,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            counts,
            Optional.empty());
    RowTracker tracker = new RowTracker(new KeyOnlyFilter(), intent);
    SetScanner scanner = new SetScanner(tracker, filter);
    Jump jump =
        new Jump(
            scanner,
            tracker,
            new Candidates(candidates, List.of(), true),
            true,
            new CutOff(cutOffAfter),
            new ScanTally(counts, Optional.empty()),
            reported::add);
    scanner.jump = jump;
    List<String> found = new ArrayList<>();
    try (JumpingScanner jumping =
        new JumpingScanner(
            scanner,
            ScannerOwner.ofThisCall(true),
            tracker,
            () -> Optional.of(jump),
            Optional.empty(),
            () -> {},
            () -> {})) {
      List<Cell> cells = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = jumping.nextRaw(cells);
        cells.forEach(cell -> found.add(Bytes.toString(CellUtil.cloneRow(cell))));
        cells.clear();
      }
    }
    return found;
  }

  private void addRows(int from, int to) {
    for (int i = from; i < to; i++) {
      rows.add(Bytes.toBytes(name(i)));
    }
  }

  private static String name(int i) {
    return "r%04d".formatted(i);
  }

  private static Predicate<byte[]> matching(int step) {
    return row -> Integer.parseInt(Bytes.toString(row).substring(1)) % step == 0;
  }

  private List<String> every(int step) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i <= Integer.parseInt(Bytes.toString(rows.last()).substring(1)); i += step) {
      names.add(name(i));
    }
    return names;
  }

  private static RowStream candidates(List<String> names) {
    Map<String, Boolean> uncertain = new TreeMap<>();
    names.forEach(name -> uncertain.put(name, false));
    return candidates(uncertain);
  }

  /**
   * @param names the candidates, and whether postings answer for them
   */
  private static RowStream candidates(Map<String, Boolean> names) {
    SortedPostings.Collector collector =
        new SortedPostings.Collector(new SortBudget(names.size(), 1 << 22));
    names.forEach(
        (name, certain) -> assertThat(collector.add(Bytes.toBytes(name), 0, certain)).isTrue());
    return collector.sorted();
  }

  /** Answers a few times, then never again. */
  private static final class FailingStream implements RowStream {
    private final RowStream inner;
    private int answers;

    FailingStream(RowStream inner, int answers) {
      this.inner = inner;
      this.answers = answers;
    }

    @Override
    public byte[] seek(byte[] from) throws IOException {
      if (answers-- == 0) {
        throw new IOException("Cannot read the postings: the test wants it so");
      }
      return inner.seek(from);
    }

    @Override
    public boolean answersFor(byte[] row, Consumer<CertainPosting> certain) {
      return inner.answersFor(row, certain);
    }

    @Override
    public void postingsOf(byte[] row, Consumer<byte[]> postings) {
      inner.postingsOf(row, postings);
    }
  }

  /** Calls its filter and the hook for refused rows in the order in which HBase does. */
  private final class SetScanner implements RegionScanner {
    private final RowTracker tracker;
    private final Predicate<byte[]> filter;
    private byte[] next = rows.isEmpty() ? null : rows.first();
    private Jump jump;

    SetScanner(RowTracker tracker, Predicate<byte[]> filter) {
      this.tracker = tracker;
      this.filter = filter;
    }

    @Override
    public boolean nextRaw(List<Cell> cells) throws IOException {
      while (next != null) {
        byte[] row = next;
        tracker.filterRowKey(new KeyValue(row, row, row, row));
        next = rows.higher(row);
        if (filter.test(row)) {
          cells.add(new KeyValue(row, row, row, row));
          tracker.reset();
          return next != null;
        }
        tracker.reset();
        jump.refused();
        if (!jump.toNextCandidate(false)) {
          return false;
        }
      }
      return false;
    }

    @Override
    public boolean reseek(byte[] row) throws IOException {
      if (reseekFails) {
        throw new IOException("Cannot seek: the test wants it so");
      }
      if (next != null && Arrays.compareUnsigned(row, next) > 0) {
        next = rows.ceiling(row);
      }
      return next != null;
    }

    @Override
    public boolean nextRaw(List<Cell> cells, ScannerContext context) throws IOException {
      return nextRaw(cells);
    }

    @Override
    public boolean next(List<Cell> cells) throws IOException {
      return nextRaw(cells);
    }

    @Override
    public boolean next(List<Cell> cells, ScannerContext context) throws IOException {
      return nextRaw(cells);
    }

    @Override
    public RegionInfo getRegionInfo() {
      return RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
    }

    @Override
    public boolean isFilterDone() {
      return false;
    }

    @Override
    public long getMaxResultSize() {
      return -1;
    }

    @Override
    public long getMvccReadPoint() {
      return 1;
    }

    @Override
    public int getBatch() {
      return -1;
    }

    @Override
    public void close() {}
  }

  private static final class Counts implements IndexMetrics {
    private final Map<IndexCounter, Long> values = new EnumMap<>(IndexCounter.class);

    @Override
    public void add(IndexCounter counter, long amount) {
      values.merge(counter, amount, Long::sum);
    }

    @Override
    public void plainScan(PlainScanReason reason) {}

    @Override
    public void refusedWrite(WriteRefusal reason) {}

    long get(IndexCounter counter) {
      return values.getOrDefault(counter, 0L);
    }
  }
}
