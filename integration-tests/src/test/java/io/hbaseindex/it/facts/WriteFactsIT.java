/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.facts;

import static io.hbaseindex.it.facts.FactsTable.DATA;
import static io.hbaseindex.it.facts.FactsTable.HIDDEN;
import static io.hbaseindex.it.facts.FactsTable.QUALIFIER;
import static io.hbaseindex.it.facts.FactsTable.hiddenPut;
import static io.hbaseindex.it.facts.FactsTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How HBase writes: the order of its hooks, what they may add, which locks they hold. */
@OnSharedCluster
class WriteFactsIT {

  private static FactsTable facts;

  @BeforeAll
  static void createTable(TestCluster cluster) throws IOException {
    facts = new FactsTable(cluster);
  }

  @AfterAll
  static void dropTable() throws IOException {
    facts.close();
  }

  @BeforeEach
  void emptyTable() throws IOException {
    facts.reset();
  }

  @Test
  void put_runsHooksInTheOrderTheWritePathNeeds() throws IOException {
    facts.table().put(put("r", "v"));

    assertThat(facts.observer().hooks())
        .containsExactly(
            "prePut",
            "preBatchMutate",
            "preWALAppend",
            "postBatchMutate",
            "postPut",
            "postBatchMutateIndispensably:true");
  }

  @Test
  void increment_computesItsCellsBeforePreBatchMutateOnTheSameThread() throws IOException {
    facts.table().put(new Put(row("r")).addColumn(DATA, QUALIFIER, Bytes.toBytes(40L)));
    AtomicReference<Long> seenInBatch = new AtomicReference<>();
    int before = facts.observer().calls().size();
    facts.observer().onPreBatchMutate =
        (region, batch) -> {
          Mutation operation = batch.getOperation(0);
          assertThat(operation).isInstanceOf(Increment.class);
          Cell delta = operation.getFamilyCellMap().get(DATA).get(0);
          seenInBatch.set(Bytes.toLong(CellUtil.cloneValue(delta)));
          batch.addOperationsFromCP(0, new Mutation[] {hiddenPut("x", 7)});
        };

    facts.table().increment(new Increment(row("r")).addColumn(DATA, QUALIFIER, 2));

    assertThat(seenInBatch.get()).as("the batch holds the delta only").isEqualTo(2);
    List<RecordingObserver.HookCall> calls =
        facts.observer().calls().subList(before, facts.observer().calls().size());
    assertThat(calls)
        .extracting(RecordingObserver.HookCall::hook)
        .containsSubsequence("postIncrementBeforeWAL", "preBatchMutate", "preWALAppend");
    assertThat(calls)
        .extracting(RecordingObserver.HookCall::thread)
        .containsOnly(calls.get(0).thread());
    assertThat(hiddenRows()).containsExactly("x");
  }

  @Test
  void append_computesItsCellsBeforePreBatchMutate() throws IOException {
    facts.table().append(new Append(row("r")).addColumn(DATA, QUALIFIER, row("tail")));

    assertThat(facts.observer().hooks())
        .containsSubsequence("postAppendBeforeWAL", "preBatchMutate", "preWALAppend");
  }

  @Test
  void checkAndMutateAndRowMutations_reachPreBatchMutateWithEveryMutation() throws IOException {
    List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
    facts.observer().onPreBatchMutate = (region, batch) -> sizes.add(batch.size());

    facts
        .table()
        .checkAndMutate(
            CheckAndMutate.newBuilder(row("r")).ifNotExists(DATA, QUALIFIER).build(put("r", "a")));
    facts
        .table()
        .mutateRow(
            RowMutations.of(
                List.of(put("r", "b"), new Delete(row("r")).addColumns(DATA, row("z")))));

    assertThat(sizes).containsExactly(1, 2);
  }

  @Test
  void addedMutations_ofOtherRowsAndFamilies_shareOneWalEdit() throws IOException {
    facts.table().put(hiddenPut("gone", 5));
    int before = facts.observer().walEdits().size();
    facts.observer().onPreBatchMutate =
        (region, batch) ->
            batch.addOperationsFromCP(
                0,
                new Mutation[] {
                  hiddenPut("added", 7), new Delete(row("gone")).addColumns(HIDDEN, QUALIFIER, 8)
                });

    facts.table().put(put("r", "v"));

    List<List<Cell>> edits = facts.observer().walEdits();
    assertThat(edits).hasSize(before + 1);
    assertThat(edits.get(before))
        .extracting(cell -> Bytes.toString(CellUtil.cloneRow(cell)))
        .containsExactlyInAnyOrder("r", "added", "gone");
    assertThat(hiddenRows()).containsExactly("added");
  }

  @Test
  void addedMutation_withoutTimestamp_keepsTheLatestPlaceholder(TestCluster cluster)
      throws IOException {
    // A table of its own: no delete reaches a cell that carries the placeholder for ever.
    try (FactsTable own = new FactsTable(cluster)) {
      own.observer().onPreBatchMutate =
          (region, batch) -> {
            assertThat(timestampOf(batch.getOperation(0), DATA))
                .as("the user's own cell has its time by now")
                .isNotEqualTo(HConstants.LATEST_TIMESTAMP);
            batch.addOperationsFromCP(
                0, new Mutation[] {hiddenPut("x", HConstants.LATEST_TIMESTAMP)});
          };

      own.table().put(put("r", "v"));

      assertThat(own.observer().walEdits().get(0))
          .filteredOn(cell -> CellUtil.matchingFamily(cell, HIDDEN))
          .extracting(Cell::getTimestamp)
          .containsExactly(HConstants.LATEST_TIMESTAMP);
    }
  }

  @Test
  void addOperationsFromCP_calledTwiceForOneOperation_keepsTheSecondOnly() throws IOException {
    facts.observer().onPreBatchMutate =
        (region, batch) -> {
          batch.addOperationsFromCP(0, new Mutation[] {hiddenPut("first", 7)});
          batch.addOperationsFromCP(0, new Mutation[] {hiddenPut("second", 7)});
        };

    facts.table().put(put("r", "v"));

    assertThat(hiddenRows()).containsExactly("second");
  }

  @Test
  void addedMutation_toAMissingFamily_failsTheWholeBatch() throws IOException {
    facts.observer().onPreBatchMutate =
        (region, batch) ->
            batch.addOperationsFromCP(
                0,
                new Mutation[] {
                  new Put(row("x")).addColumn(row("nofamily"), QUALIFIER, 7, new byte[0])
                });

    assertThatThrownBy(() -> facts.table().put(put("r", "v"))).isInstanceOf(IOException.class);
    assertThat(facts.value("r")).isNull();
  }

  @Test
  void failingPreBatchMutate_stillCallsIndispensablyWithFailure() throws IOException {
    facts.observer().onPreBatchMutate =
        (region, batch) -> {
          throw new DoNotRetryIOException("refused by the test");
        };

    assertThatThrownBy(() -> facts.table().put(put("r", "v")))
        .hasMessageContaining("refused by the test");

    assertThat(facts.observer().hooks())
        .containsExactly("prePut", "preBatchMutate", "postBatchMutateIndispensably:false");
    assertThat(facts.value("r")).isNull();
  }

  @Test
  void batchWithABadMutation_showsItToPreBatchMutateAsAlreadyFailed() throws Exception {
    List<OperationStatusCode> statuses = Collections.synchronizedList(new ArrayList<>());
    facts.observer().onPreBatchMutate =
        (region, batch) -> {
          for (int i = 0; i < batch.size(); i++) {
            statuses.add(batch.getOperationStatus(i).getOperationStatusCode());
          }
        };
    Put bad = new Put(row("a")).addColumn(row("nofamily"), QUALIFIER, new byte[0]);
    List<Row> batch = List.of(put("b", "1"), bad, put("c", "2"));

    Object[] results = new Object[batch.size()];
    assertThatThrownBy(() -> facts.table().batch(batch, results)).isInstanceOf(IOException.class);

    assertThat(statuses)
        .containsExactlyInAnyOrder(
            OperationStatusCode.NOT_RUN,
            OperationStatusCode.BAD_FAMILY,
            OperationStatusCode.NOT_RUN);
    assertThat(facts.value("b")).isEqualTo("1");
    assertThat(facts.value("c")).isEqualTo("2");
  }

  @Test
  void twoPuts_ofOneRow_areInsidePreBatchMutateAtOnce() throws Exception {
    CyclicBarrier bothInside = new CyclicBarrier(2);
    facts.observer().onPreBatchMutate =
        (region, batch) -> {
          try {
            bothInside.await(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
          } catch (Exception e) {
            throw new IOException("the other Put did not come in: row locks exclude it", e);
          }
        };

    CompletableFuture<Void> first = putInBackground("r", "1");
    CompletableFuture<Void> second = putInBackground("r", "2");

    first.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
    second.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
    assertThat(bothInside.isBroken()).isFalse();
  }

  @Test
  void put_inPreBatchMutate_holdsASharedRowLockThatKeepsAtomicOperationsOut() throws Exception {
    HRegion region = facts.region();
    AtomicReference<Throwable> exclusive = new AtomicReference<>();
    AtomicReference<Throwable> shared = new AtomicReference<>();
    facts.observer().onPreBatchMutate =
        (ignored, batch) -> {
          shared.set(lockInOtherThread(region, true));
          exclusive.set(lockInOtherThread(region, false));
        };

    facts.table().put(put("r", "v"));

    assertThat(shared.get()).as("a shared lock").isNull();
    assertThat(exclusive.get()).as("an exclusive lock").isInstanceOf(IOException.class);
  }

  @Test
  void postBatchMutate_runsAfterTheMemstoreButBeforeTheWriteIsVisible() throws IOException {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    facts.observer().onPostBatchMutate =
        (region, batch) -> seen.add("postBatchMutate sees " + read(region, false));
    facts.observer().onPostPut = region -> seen.add("postPut sees " + read(region, false));

    facts.table().put(put("r", "v"));

    assertThat(seen).containsExactly("postBatchMutate sees 0", "postPut sees 1");
  }

  @Test
  void postBatchMutate_readUncommitted_seesTheWrite() throws IOException {
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    facts.observer().onPostBatchMutate = (region, batch) -> seen.add(read(region, true));

    facts.table().put(put("r", "v"));

    assertThat(seen).containsExactly(1);
  }

  @Test
  void deleteOfAWholeRow_namesEveryFamily_andCanBeStrippedOfOne() throws IOException {
    facts.table().put(put("r", "v"));
    facts.table().put(hiddenPut("r", 5));
    Set<String> families = Collections.synchronizedSet(new TreeSet<>());
    facts.observer().onPreBatchMutate =
        (region, batch) -> {
          batch
              .getOperation(0)
              .getFamilyCellMap()
              .keySet()
              .forEach(f -> families.add(Bytes.toString(f)));
          batch.getOperation(0).getFamilyCellMap().remove(HIDDEN);
        };

    facts.table().delete(new Delete(row("r")));

    assertThat(families).containsExactly("d", "h");
    assertThat(facts.value("r")).isNull();
    assertThat(hiddenRows()).containsExactly("r");
  }

  @Test
  void tombstone_beatsALaterPutAtItsOwnTimestamp() throws IOException {
    facts.table().put(hiddenPut("posting", 5));
    facts.table().delete(new Delete(row("posting")).addColumns(HIDDEN, QUALIFIER, 5));
    facts.table().put(hiddenPut("posting", 5));

    assertThat(hiddenRows()).isEmpty();
  }

  private static byte[] row(String text) {
    return Bytes.toBytes(text);
  }

  private static long timestampOf(Mutation mutation, byte[] family) {
    return mutation.getFamilyCellMap().get(family).get(0).getTimestamp();
  }

  private CompletableFuture<Void> putInBackground(String row, String value) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            facts.table().put(put(row, value));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> new Thread(task, "put " + value).start());
  }

  /** Takes and frees the lock of row "r" on another thread; the failure, or null. */
  private static Throwable lockInOtherThread(HRegion region, boolean readLock) {
    return CompletableFuture.<Throwable>supplyAsync(
            () -> {
              try {
                region.getRowLock(row("r"), readLock).release();
                return null;
              } catch (IOException e) {
                return e;
              }
            },
            task -> new Thread(task, "locker").start())
        .join();
  }

  /** How many cells of row "r" a scan inside the region sees. */
  private static int read(Region region, boolean uncommitted) throws IOException {
    Scan scan = new Scan(new Get(row("r")));
    if (uncommitted) {
      scan.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    }
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      scanner.next(cells);
    }
    return cells.size();
  }

  private List<String> hiddenRows() throws IOException {
    return facts.rows(new Scan().addFamily(HIDDEN));
  }
}
