/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import io.hbaseindex.client.routing.scan.AsyncScans;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;

/** Tables of HBase's asynchronous client whose scans are routed; all else is HBase's own. */
final class IndexedAsyncTables {
  /** Runs scans in the way of one kind of table. */
  private interface ScanRunner<C extends ScanResultConsumerBase> {
    void scan(AsyncTable<C> table, Scan scan, C consumer);

    CompletableFuture<List<Result>> scanAll(AsyncTable<C> table, Scan scan);
  }

  private final Configuration conf;
  private final AsyncScans scans;

  IndexedAsyncTables(Configuration conf, AsyncScans scans) {
    this.conf = conf;
    this.scans = scans;
  }

  /** Tables that call consumers from HBase's own threads. */
  AsyncTableBuilder<AdvancedScanResultConsumer> wrap(
      AsyncTableBuilder<AdvancedScanResultConsumer> builder) {
    return wrap(
        builder,
        new ScanRunner<>() {
          @Override
          public void scan(
              AsyncTable<AdvancedScanResultConsumer> table,
              Scan scan,
              AdvancedScanResultConsumer consumer) {
            scans.scan(table, scan, consumer);
          }

          @Override
          public CompletableFuture<List<Result>> scanAll(
              AsyncTable<AdvancedScanResultConsumer> table, Scan scan) {
            return scans.scanAll(table, scan);
          }
        });
  }

  /** Tables that call consumers, and complete futures, on threads of a pool. */
  AsyncTableBuilder<ScanResultConsumer> wrap(
      AsyncTableBuilder<ScanResultConsumer> builder, Executor pool) {
    return wrap(
        builder,
        new ScanRunner<>() {
          @Override
          public void scan(
              AsyncTable<ScanResultConsumer> table, Scan scan, ScanResultConsumer consumer) {
            scans.scan(table, pool, scan, consumer);
          }

          @Override
          public CompletableFuture<List<Result>> scanAll(
              AsyncTable<ScanResultConsumer> table, Scan scan) {
            return scans.scanAll(table, pool, scan);
          }
        });
  }

  // The class of a generic type is raw; a proxy of it is what it is a proxy of.
  @SuppressWarnings("unchecked")
  private <C extends ScanResultConsumerBase> AsyncTableBuilder<C> wrap(
      AsyncTableBuilder<C> builder, ScanRunner<C> runner) {
    AsyncTableBuilder<?>[] self = new AsyncTableBuilder<?>[1];
    self[0] =
        Forwarding.proxy(
            AsyncTableBuilder.class,
            builder,
            (method, arguments, passOn) -> {
              Object result = passOn.call();
              return method.getName().equals("build")
                  ? wrap((AsyncTable<C>) result, runner)
                  : self[0];
            });
    return (AsyncTableBuilder<C>) self[0];
  }

  @SuppressWarnings("unchecked")
  private <C extends ScanResultConsumerBase> AsyncTable<C> wrap(
      AsyncTable<C> table, ScanRunner<C> runner) {
    return Forwarding.proxy(
        AsyncTable.class,
        table,
        (method, arguments, passOn) -> {
          switch (method.getName()) {
            case "scan":
              runner.scan(table, (Scan) arguments[0], (C) arguments[1]);
              return null;
            case "scanAll":
              return runner.scanAll(table, (Scan) arguments[0]);
            case "getScanner":
              // Scanners of a family or a column alone have no filter to route by.
              return arguments[0] instanceof Scan scan ? scans.scanner(table, scan) : passOn.call();
            case "getConfiguration":
              return conf;
            default:
              return passOn.call();
          }
        });
  }
}
