/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.hash.ElementList;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.route.ValuePrefixes;
import io.hbaseindex.core.time.MachineClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region's filter that is stored, and read by the next one who opens the region. */
class StoredRegionFilterTest {
  private static final long INDEX = 1;
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(INDEX, 1, 7, 0));
  private static final FilterGeometry GEOMETRY = FilterGeometry.doubling(16, 1e-3);

  private final PagedMemory memory = PagedMemory.direct(1 << 24);
  private long stamp = 10;
  private PublishedRegion region;

  @BeforeEach
  void open() {
    region = newRegion();
  }

  private PublishedRegion newRegion() {
    MachineClock clock = MachineClock.of(() -> 0, () -> 0);
    ServerPublisher server =
        new ServerPublisher(
            "s",
            new RegionNumbers(1),
            clock,
            LeaseTerms.standard(),
            PublishLimits.standard(),
            memory);
    PublishedRegion opened =
        server.open(
            new RegionIncarnation("t", "r", 1, 1, new RowRange(new byte[0], new byte[0])),
            GEOMETRY);
    opened.stampBy(() -> stamp);
    return opened;
  }

  private void build(long... live) {
    region.startRebuild(live.length);
    region.scanned(live);
    region.completeRebuild(COVERAGE);
  }

  private void insert(long element) {
    stamp++;
    long phase = region.beginBatch();
    region.insert(element);
    region.endBatch(phase);
  }

  private void delete(long element) {
    stamp++;
    long phase = region.beginBatch();
    region.delete(phase, INDEX, element);
    region.endBatch(phase);
  }

  /** What is written to a file. */
  private record Stored(
      FilterImage.Outline outline,
      List<FilterImage.Frequent> frequent,
      List<FilterImage.Piece> pieces,
      long[] again) {}

  private static Optional<Stored> finish(FilterStoring storing, Runnable betweenPieces) {
    FilterImage.Outline outline = storing.outline();
    List<FilterImage.Piece> pieces = new ArrayList<>();
    for (var piece = storing.next(); piece.isPresent(); piece = storing.next()) {
      pieces.add(piece.get());
      betweenPieces.run();
    }
    return storing.ended().map(again -> new Stored(outline, storing.frequent(), pieces, again));
  }

  private static boolean load(
      PublishedRegion into, Stored stored, Runnable meanwhile, long... later) {
    into.startLoading();
    assertThat(into.isLoading()).isTrue();
    assertThat(into.rebuildMayScan()).isTrue();
    FilterLoading loading = into.loading(stored.outline()).orElseThrow();
    stored.frequent().forEach(element -> assertThat(loading.restore(element)).isTrue());
    stored.pieces().forEach(loading::restore);
    for (long element : stored.again()) {
      loading.countAgain(element);
    }
    loading.insert(later);
    meanwhile.run();
    return loading.complete(COVERAGE);
  }

  /** Whether the region's filter has the element, by what it would store. */
  private boolean holds(PublishedRegion of, long element) {
    FilterStoring storing = of.startStoring(Long.MAX_VALUE).orElseThrow();
    var copy =
        FilterImage.emptyOf(PagedMemory.heap(), storing.outline(), FilterChangeListener.NONE)
            .orElseThrow();
    for (var piece = storing.next(); piece.isPresent(); piece = storing.next()) {
      FilterImage.restore(copy, piece.get());
    }
    return copy.mightContain(element);
  }

  private static RegionBounds bounds(int... values) {
    List<byte[]> encoded =
        IntStream.of(values)
            .mapToObj(value -> IndexRowKeys.encoded(new byte[] {(byte) value}))
            .toList();
    return RegionBounds.ofValues(Map.of((int) INDEX, encoded));
  }

  /** Bounds by what the region would store. */
  private static ValuePrefixes boundsOf(PublishedRegion region) {
    return region.startStoring(Long.MAX_VALUE).orElseThrow().bounds().of((int) INDEX);
  }

  @Test
  void e4_bounds_areStoredAsTheyAreAtTheEnd_andTakeInWhatIsAddedLater() {
    region.startRebuild(2);
    region.scanned(1, 2);
    region.completeRebuild(COVERAGE, bounds(5, 9).ofAll(List.of((int) INDEX)));
    FilterStoring storing = region.startStoring(stamp).orElseThrow();
    Stored stored = finish(storing, () -> region.insert(bounds(12), 3)).orElseThrow();
    assertThat(storing.bounds().of((int) INDEX)).isEqualTo(bounds(5, 9, 12).of((int) INDEX));

    PublishedRegion next = newRegion();
    next.startLoading();
    FilterLoading loading = next.loading(stored.outline()).orElseThrow();
    stored.pieces().forEach(loading::restore);
    loading.restore(storing.bounds());
    loading.widen(bounds(3, 4));
    long phase = next.beginBatch();
    next.insert(bounds(20), 4);
    next.endBatch(phase);
    assertThat(loading.complete(COVERAGE)).isTrue();
    assertThat(boundsOf(next)).isEqualTo(bounds(3, 4, 5, 9, 12, 20).of((int) INDEX));
  }

  /** Earlier releases have stored none. */
  @Test
  void e4_storedWithoutBounds_mayHaveAnyValue() {
    build(1, 2);
    Stored stored = finish(region.startStoring(stamp).orElseThrow(), () -> {}).orElseThrow();
    PublishedRegion next = newRegion();
    assertThat(load(next, stored, () -> next.insert(bounds(20), 4))).isTrue();
    assertThat(boundsOf(next)).isEqualTo(ValuePrefixes.EVERYTHING);
    assertThat(next.rebuildPays()).as("the next one has bounds").isTrue();
  }

  @Test
  void withoutAFilter_nothingIsStored() {
    assertThat(region.startStoring(Long.MAX_VALUE)).isEmpty();
    assertThat(region.filterBytes()).isZero();
  }

  @Test
  void withoutTimestamps_nothingIsStored() {
    region.stampBy(() -> Long.MAX_VALUE);
    build(1, 2);

    assertThat(region.startStoring(Long.MAX_VALUE - 1)).isEmpty();
  }

  @Test
  void builtFilter_isStoredOnlyWithFilesThatHoldAllItsScanHasSeen() {
    build(1, 2);

    assertThat(region.startStoring(9)).as("a posting may have ended at 10").isEmpty();
    assertThat(region.startStoring(10)).isPresent();
    assertThat(region.filterBytes()).isPositive();
  }

  @Test
  void endsBeforeTheFlush_areInItsFiles() {
    build(1, 2);
    delete(1);

    assertThat(region.startStoring(10)).as("the end at 11 is in no file").isEmpty();
    assertThat(region.startStoring(11)).isPresent();
  }

  @Test
  void endsAfterTheFlushBegan_areCountedAgain() {
    build(1, 2);
    region.rememberEnds();
    delete(1);

    Stored stored = finish(region.startStoring(10).orElseThrow(), () -> {}).orElseThrow();
    PublishedRegion next = newRegion();

    assertThat(stored.again()).containsExactly(1);
    assertThat(load(next, stored, () -> {})).isTrue();
    assertThat(holds(next, 1)).as("the end may be lost with the log").isTrue();
    assertThat(holds(next, 2)).isTrue();
  }

  @Test
  void endsThatAreForgotten_keepTheFilterFromBeingStored() {
    build(1, 2);
    region.rememberEnds();
    delete(1);
    region.forgetEnds();

    assertThat(region.startStoring(10)).isEmpty();
    assertThat(region.startStoring(11)).isPresent();
  }

  @Test
  void moreEndsThanCanBeRemembered_endTheStoring() {
    build(1, 2);
    FilterStoring storing = region.startStoring(10).orElseThrow();
    for (int times = 0; times <= ElementList.MOST; times++) {
      delete(1);
    }

    assertThat(storing.next()).isEmpty();
    assertThat(storing.ended()).isEmpty();
    assertThat(region.startStoring(stamp - 1)).isEmpty();
  }

  @Test
  void anotherFilter_endsTheStoring() {
    build(1, 2);
    FilterStoring storing = region.startStoring(10).orElseThrow();
    assertThat(storing.next()).isPresent();
    build(1, 2);

    assertThat(storing.next()).isEmpty();
    assertThat(storing.ended()).isEmpty();
  }

  @Test
  void whatIsInsertedWhileAFilterIsRead_isInIt() {
    build(1, 2);
    Stored stored = finish(region.startStoring(10).orElseThrow(), () -> {}).orElseThrow();
    region = newRegion();

    assertThat(load(region, stored, () -> insert(4), 3)).isTrue();

    for (long element : new long[] {1, 2, 3, 4}) {
      assertThat(holds(region, element)).isTrue();
    }
    assertThat(region.isRebuilding()).isFalse();
    delete(4);
    assertThat(holds(region, 4)).as("each is counted once").isFalse();
  }

  @Test
  void batchesThatBeganBefore_areWaitedFor_andTakeNothingBack() {
    build(1, 2);
    Stored stored = finish(region.startStoring(10).orElseThrow(), () -> {}).orElseThrow();
    region = newRegion();
    long before = region.beginBatch();
    region.startLoading();
    assertThat(region.rebuildMayScan()).isFalse();
    region.endBatch(before);
    long[] meanwhile = new long[1];
    assertThat(load(region, stored, () -> meanwhile[0] = region.beginBatch())).isTrue();

    region.delete(meanwhile[0], INDEX, 1);
    region.endBatch(meanwhile[0]);

    assertThat(holds(region, 1)).isTrue();
  }

  @Test
  void postingsThatChangeBehindIt_orTooManyWrites_voidWhatIsRead() {
    build(1, 2);
    Stored stored = finish(region.startStoring(10).orElseThrow(), () -> {}).orElseThrow();
    PublishedRegion suspended = newRegion();
    long before = memory.takenBytes();

    assertThat(load(suspended, stored, suspended::suspend)).isFalse();
    assertThatThrownBy(suspended::startLoading).isInstanceOf(IllegalStateException.class);
    region = newRegion();
    assertThat(
            load(
                region,
                stored,
                () -> {
                  for (int times = 0; times <= ElementList.MOST; times++) {
                    region.insert(times);
                  }
                }))
        .isFalse();
    assertThat(memory.takenBytes()).isEqualTo(before);
    assertThat(region.isRebuilding()).isFalse();
  }

  @Test
  void filterThatIsGivenUp_leavesItsMemory() {
    build(1, 2);
    Stored stored = finish(region.startStoring(10).orElseThrow(), () -> {}).orElseThrow();
    PublishedRegion next = newRegion();
    long before = memory.takenBytes();
    next.startLoading();
    next.loading(stored.outline()).orElseThrow().abandon();

    assertThat(memory.takenBytes()).isEqualTo(before);
    assertThat(next.isLoading()).isFalse();
  }

  /** Random writes before, while and after a filter is stored and read, again and again. */
  @Test
  void overManyGenerations_noLivePostingIsEverMissing() {
    SplittableRandom random = new SplittableRandom(5);
    List<Long> live = new ArrayList<>();
    build();
    for (int generation = 0; generation < 40; generation++) {
      write(random, live, 150);
      region.rememberEnds();
      List<Long> inFiles = new ArrayList<>(live);
      long through = stamp;
      write(random, live, 30);
      Stored stored =
          finish(region.startStoring(through).orElseThrow(), () -> write(random, live, 5))
              .orElseThrow();
      region.forgetEnds();
      // The log is lost: the next open finds what is in the files, and nothing else.
      live.clear();
      live.addAll(inFiles);
      region = newRegion();
      assertThat(load(region, stored, () -> write(random, live, 10))).isTrue();
      assertThat(live.stream().filter(element -> !holds(region, element))).isEmpty();
      region.forgetEnds();
    }
  }

  private void write(SplittableRandom random, List<Long> live, int steps) {
    boolean loading = region.isLoading();
    for (int step = 0; step < steps; step++) {
      if (live.isEmpty() || loading || random.nextInt(5) < 3) {
        live.add(random.nextLong(60));
        insert(live.get(live.size() - 1));
      } else {
        delete(live.remove(random.nextInt(live.size())));
      }
    }
  }
}
