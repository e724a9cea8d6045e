/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.region.lifecycle.IndexState.Phase;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord.Entry;
import io.hbaseindex.region.lifecycle.ledger.MemoryLedger;
import io.hbaseindex.region.lifecycle.ledger.RegionLedger;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IndexBuilderTest {

  private static final Map<Integer, Integer> INDEX = Map.of(1, 1);
  private static final byte[] START = {};

  private final MemoryLedger store = new MemoryLedger();
  private final CountingMetrics metrics = new CountingMetrics();
  private final RegionLedger ledger = new RegionLedger(store, 1, metrics);
  private final IndexStates states = new IndexStates();
  private final List<String> visited = new ArrayList<>();
  private Map<Integer, String> impossible = Map.of();
  private Map<Integer, String> notYet = Map.of();
  private Runnable duringStep = () -> {};
  private int rows = 1_000;
  private long estimate;
  private final IndexBuilder builder =
      new IndexBuilder(new CountedRows(), this::reindex, ledger, states, metrics);

  @BeforeEach
  void openLedger() {
    ledger.load();
    ledger.reconcile(INDEX, List.of());
  }

  @Test
  void run_allRows_indexIsReadyAndBuilt() throws Exception {
    builder.start(INDEX, START, 40, "new");
    assertThat(phase()).isEqualTo(Phase.WAITING);
    builder.run();
    assertThat(phase()).isEqualTo(Phase.BUILDING);
    runToEnd();

    assertThat(phase()).isEqualTo(Phase.READY);
    assertThat(visited).hasSize(rows).doesNotHaveDuplicates();
    assertThat(store.stored().orElseThrow().indexes()).containsEntry(1, Entry.built(1, 40));
    assertThat(metrics.of(IndexCounter.BUILD_ROWS)).isEqualTo(rows);
    assertThat(metrics.of(IndexCounter.BUILDS_FINISHED)).isEqualTo(1);
  }

  @Test
  void run_emptyRegion_isReadyAtOnce() throws Exception {
    rows = 0;
    builder.start(INDEX, START, 40, "new");

    assertThat(builder.run().done()).isTrue();
    assertThat(phase()).isEqualTo(Phase.READY);
  }

  @Test
  void checkpoint_nextBuilderGoesOnFromThere() throws Exception {
    builder.start(INDEX, START, 40, "new");
    builder.run();
    builder.run();
    builder.checkpoint();
    int before = visited.size();

    byte[] from = store.stored().orElseThrow().indexes().get(1).checkpoint().orElseThrow();
    IndexBuilder second = new IndexBuilder(this::page, this::reindex, ledger, states, metrics);
    second.start(INDEX, from, 40, "resumed");
    while (!second.run().done()) {}

    assertThat(before).isBetween(1, rows - 1);
    assertThat(visited).hasSize(rows).doesNotHaveDuplicates();
    assertThat(metrics.of(IndexCounter.BUILDS_RESUMED)).isEqualTo(1);
  }

  @Test
  void checkpoint_everyTenThousandRows() throws Exception {
    rows = 25_000;
    builder.start(INDEX, START, 40, "new");
    int writes = store.writes;
    runToEnd();

    assertThat(store.writes - writes).isEqualTo(3);
  }

  @Test
  void checkpoint_beforeTheFirstStep_saysNothing() {
    builder.start(INDEX, START, 40, "new");
    builder.checkpoint();

    assertThat(store.stored().orElseThrow().indexes()).isEmpty();
  }

  @Test
  void startOver_duringTheLastStep_doesNotBecomeReady() throws Exception {
    rows = 10;
    builder.start(INDEX, START, 40, "new");
    duringStep =
        () -> {
          duringStep = () -> {};
          builder.startOver(INDEX, 40, "bulk load");
        };

    assertThat(builder.run().done()).isFalse();
    assertThat(phase()).isEqualTo(Phase.WAITING);
    assertThat(store.stored().orElseThrow().indexes()).isEmpty();

    runToEnd();
    assertThat(phase()).isEqualTo(Phase.READY);
    assertThat(visited).hasSize(2 * rows);
  }

  @Test
  void abandon_duringTheLastStep_doesNotBecomeReady() throws Exception {
    rows = 10;
    builder.start(INDEX, START, 40, "new");
    duringStep = () -> builder.abandon("bulk load");

    assertThat(builder.run().done()).isTrue();
    assertThat(phase()).isEqualTo(Phase.WAITING);
    assertThat(store.stored().orElseThrow().indexes()).isEmpty();
  }

  @Test
  void abandon_afterTheLastStep_isNoLongerReady() throws Exception {
    builder.start(INDEX, START, 40, "new");
    runToEnd();
    builder.abandon("bulk load");

    assertThat(states.of(1).orElseThrow().toString()).isEqualTo("WAITING: bulk load");
    assertThat(builder.run().done()).isTrue();
    assertThat(phase()).isEqualTo(Phase.WAITING);
  }

  @Test
  void run_rowThatCannotBeIndexed_indexSaysWhyItWillNeverBeReady() throws Exception {
    impossible = Map.of(1, "a row key is too long");
    builder.start(Map.of(1, 1, 2, 1), START, 40, "new");
    runToEnd();

    assertThat(states.of(1).orElseThrow().toString())
        .isEqualTo("UNSUPPORTED: a row key is too long");
    assertThat(states.isReady(2)).isTrue();
    assertThat(store.stored().orElseThrow().indexes()).containsOnlyKeys(2);
  }

  @Test
  void run_rowThatNeedsACompaction_indexIsTriedAgainAfterTheOthersAreReady() throws Exception {
    builder.start(Map.of(1, 1, 2, 1), START, 40, "new");
    builder.run();
    notYet = Map.of(1, "major-compact first");
    builder.run();
    notYet = Map.of();

    assertThatThrownBy(this::runToEnd).isInstanceOf(IOException.class);
    builder.failed(new IOException("major-compact first"), 1_000);
    assertThat(states.of(1).orElseThrow().toString()).startsWith("WAITING: ").contains("compact");
    assertThat(states.isReady(2)).isTrue();
    assertThat(store.stored().orElseThrow().indexes()).containsOnlyKeys(2);

    visited.clear();
    runToEnd();
    assertThat(states.isReady(1)).isTrue();
    assertThat(visited).hasSize(750);
  }

  @Test
  void run_rowThatStillNeedsACompaction_isTriedFromTheSamePage() throws Exception {
    notYet = Map.of(1, "major-compact first");
    builder.start(INDEX, START, 40, "new");

    assertThatThrownBy(builder::run).hasMessage("major-compact first");
    assertThatThrownBy(builder::run).hasMessage("major-compact first");
    assertThat(visited).hasSize(500);
    notYet = Map.of();
    runToEnd();

    assertThat(phase()).isEqualTo(Phase.READY);
  }

  @Test
  void abandon_whileAnIndexIsPutOff_forgetsIt() throws Exception {
    builder.start(Map.of(1, 1, 2, 1), START, 40, "new");
    notYet = Map.of(1, "major-compact first");
    builder.run();
    builder.abandon("bulk load");

    assertThat(builder.run().done()).isTrue();
    assertThat(phase()).isEqualTo(Phase.WAITING);
  }

  @Test
  void failed_statesTellWhy() {
    builder.start(INDEX, START, 40, "new");
    builder.failed(new IOException("disk full"), 2_000);

    assertThat(states.of(1).orElseThrow().reason()).contains("disk full", "2000 ms");
    assertThat(metrics.of(IndexCounter.BUILD_RETRIES)).isEqualTo(1);
  }

  @Test
  void estimate_isToldWithTheRowsDone_andCorrectedByThem() throws Exception {
    estimate = 600;
    builder.start(INDEX, START, 40, "new");
    builder.run();
    assertThat(states.of(1).orElseThrow().reason())
        .isEqualTo("is being built: 250 of about 600 rows, next is 000249");
    assertThat(states.of(1).orElseThrow().rowsExpected()).isEqualTo(600);
    builder.run();
    builder.run();
    assertThat(states.of(1).orElseThrow().rowsExpected()).isEqualTo(750);
    runToEnd();
    assertThat(states.of(1).orElseThrow().rowsExpected()).isEqualTo(1_000);
  }

  @Test
  void estimate_ofABuildThatIsResumed_countsTheRowsBefore() throws Exception {
    estimate = 1_000;
    builder.start(INDEX, "000500".getBytes(US_ASCII), 40, "new");
    builder.run();

    assertThat(states.of(1).orElseThrow().reason())
        .isEqualTo("is being built: 750 of about 1000 rows, next is 000749");
    assertThat(states.of(1).orElseThrow().rowsDone()).isEqualTo(750);
    runToEnd();
    assertThat(states.of(1).orElseThrow().reason()).isEqualTo("built, 500 rows");
  }

  /** The rows, and how many somebody takes them for. */
  private final class CountedRows implements IndexBuilder.Rows {
    @Override
    public RowDiscovery.Page from(byte[] first, int limit) {
      return page(first, limit);
    }

    @Override
    public IndexBuilder.Estimate estimate(byte[] first) {
      return new IndexBuilder.Estimate(
          page(START, Integer.MAX_VALUE).rows().stream()
              .filter(row -> Arrays.compareUnsigned(row, first) < 0)
              .count(),
          estimate);
    }
  }

  private Phase phase() {
    return states.of(1).orElseThrow().phase();
  }

  private void runToEnd() throws IOException {
    while (!builder.run().done()) {}
  }

  private RowDiscovery.Page page(byte[] first, int limit) {
    List<byte[]> page = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      byte[] key = "%06d".formatted(row).getBytes(US_ASCII);
      if (Arrays.compareUnsigned(key, first) >= 0 && page.size() < limit) {
        page.add(key);
      }
    }
    if (page.isEmpty()) {
      return new RowDiscovery.Page(page, Optional.empty());
    }
    byte[] last = page.get(page.size() - 1);
    boolean more = Integer.parseInt(new String(last, US_ASCII)) < rows - 1;
    return new RowDiscovery.Page(
        page, more ? Optional.of(Arrays.copyOf(last, last.length + 1)) : Optional.empty());
  }

  private RowIndexing.Obstacles reindex(List<byte[]> page, Set<Integer> indexIds) {
    page.forEach(row -> visited.add(new String(row, US_ASCII)));
    duringStep.run();
    return new RowIndexing.Obstacles(impossible, notYet);
  }
}
