/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.facts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Region observer that writes down which hooks ran, on which thread, and lets a test act inside
 * them.
 *
 * <p>A test finds the instance of its region through the region's coprocessor host, so two tests
 * never share one.
 */
public final class RecordingObserver implements RegionCoprocessor, RegionObserver {

  /** What a test does inside a batch hook. */
  @FunctionalInterface
  interface BatchAction {
    void run(Region region, MiniBatchOperationInProgress<Mutation> batch) throws IOException;
  }

  /** What a test does when a scanner has dropped a row. */
  @FunctionalInterface
  interface FilterRowAction {
    void run(RegionScanner scanner, Cell droppedRow) throws IOException;
  }

  /** What a test does to a scan, a get or a region. */
  @FunctionalInterface
  interface Action<T> {
    void run(T subject) throws IOException;
  }

  /** One call of a hook. */
  record HookCall(String hook, Thread thread) {}

  private final ConcurrentLinkedQueue<HookCall> calls = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<List<Cell>> walEdits = new ConcurrentLinkedQueue<>();

  volatile BatchAction onPreBatchMutate;
  volatile BatchAction onPostBatchMutate;
  volatile Action<Region> onPostPut;
  volatile Action<Scan> onPreScannerOpen;
  volatile Action<Get> onPreGet;
  volatile FilterRowAction onPostScannerFilterRow;

  public RecordingObserver() {
    forget();
  }

  /** Drops what was recorded and every action of a test. */
  void forget() {
    onPreBatchMutate = (region, batch) -> {};
    onPostBatchMutate = (region, batch) -> {};
    onPostPut = region -> {};
    onPreScannerOpen = scan -> {};
    onPreGet = get -> {};
    onPostScannerFilterRow = (scanner, droppedRow) -> {};
    calls.clear();
    walEdits.clear();
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  /** The hooks in the order they ran since the region opened. */
  List<String> hooks() {
    return calls().stream().map(HookCall::hook).toList();
  }

  List<HookCall> calls() {
    return calls.stream().filter(call -> !call.hook().equals("postOpen")).toList();
  }

  /** The hooks in the order they ran, the region's opening included. */
  List<String> hooksFromOpen() {
    return calls.stream().map(HookCall::hook).toList();
  }

  /** The cells of each edit handed to the write-ahead log, in order. */
  List<List<Cell>> walEdits() {
    return new ArrayList<>(walEdits);
  }

  private void record(String hook) {
    calls.add(new HookCall(hook, Thread.currentThread()));
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
    record("postOpen");
  }

  @Override
  public void prePut(
      ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit, Durability d) {
    record("prePut");
  }

  @Override
  public void postPut(
      ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit, Durability d)
      throws IOException {
    record("postPut");
    onPostPut.run(c.getEnvironment().getRegion());
  }

  @Override
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> c, Delete delete, WALEdit edit, Durability d) {
    record("preDelete");
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    record("preBatchMutate");
    onPreBatchMutate.run(c.getEnvironment().getRegion(), batch);
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    record("postBatchMutate");
    onPostBatchMutate.run(c.getEnvironment().getRegion(), batch);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success) {
    record("postBatchMutateIndispensably:" + success);
  }

  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, WALKey key, WALEdit edit) {
    if (!edit.isMetaEdit()) {
      record("preWALAppend");
      walEdits.add(List.copyOf(edit.getCells()));
    }
  }

  @Override
  public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation mutation,
      List<Pair<Cell, Cell>> cells) {
    record("postIncrementBeforeWAL");
    return cells;
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation mutation,
      List<Pair<Cell, Cell>> cells) {
    record("postAppendBeforeWAL");
    return cells;
  }

  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> c, Get get, List<Cell> result)
      throws IOException {
    record("preGetOp");
    onPreGet.run(get);
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> c, Scan scan)
      throws IOException {
    record("preScannerOpen");
    onPreScannerOpen.run(scan);
  }

  @Override
  public boolean postScannerFilterRow(
      ObserverContext<RegionCoprocessorEnvironment> c,
      InternalScanner scanner,
      Cell currentRow,
      boolean hasMore)
      throws IOException {
    record("postScannerFilterRow");
    onPostScannerFilterRow.run((RegionScanner) scanner, currentRow);
    return hasMore;
  }
}
