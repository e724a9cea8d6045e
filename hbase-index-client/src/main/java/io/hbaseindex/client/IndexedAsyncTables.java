/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import io.hbaseindex.client.routing.scan.AsyncScans;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;

/** Tables of HBase's asynchronous client whose scans are routed; all else is HBase's own. */
final class IndexedAsyncTables {
  /** The scans of one table, in the way of its kind. */
  private interface ScansOfTable<C extends ScanResultConsumerBase> {
    void scan(Scan scan, C consumer);

    CompletableFuture<List<Result>> scanAll(Scan scan);

    ResultScanner scanner(Scan scan);
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
    return wrap(builder, List.of(), this::scansOf);
  }

  private ScansOfTable<AdvancedScanResultConsumer> scansOf(
      AsyncTable<AdvancedScanResultConsumer> table) {
    return new ScansOfTable<>() {
      @Override
      public void scan(Scan scan, AdvancedScanResultConsumer consumer) {
        scans.scan(table, scan, consumer);
      }

      @Override
      public CompletableFuture<List<Result>> scanAll(Scan scan) {
        return scans.scanAll(table, scan);
      }

      @Override
      public ResultScanner scanner(Scan scan) {
        return scans.scanner(table, scan);
      }
    };
  }

  /**
   * Tables that call consumers, and complete futures, on threads of a pool.
   *
   * @param scanned makes the table that is scanned, with the same options
   */
  AsyncTableBuilder<ScanResultConsumer> wrap(
      AsyncTableBuilder<ScanResultConsumer> builder,
      AsyncTableBuilder<AdvancedScanResultConsumer> scanned,
      Executor pool) {
    return wrap(builder, List.of(scanned), table -> scansOf(scanned.build(), pool));
  }

  private ScansOfTable<ScanResultConsumer> scansOf(
      AsyncTable<AdvancedScanResultConsumer> table, Executor pool) {
    return new ScansOfTable<>() {
      @Override
      public void scan(Scan scan, ScanResultConsumer consumer) {
        scans.scan(table, pool, scan, consumer);
      }

      @Override
      public CompletableFuture<List<Result>> scanAll(Scan scan) {
        return scans.scanAll(table, pool, scan);
      }

      @Override
      public ResultScanner scanner(Scan scan) {
        return scans.scanner(table, scan);
      }
    };
  }

  /**
   * A builder whose tables are routed.
   *
   * @param others given every option that the builder is given
   * @param scansOf the scans of a table that was built
   */
  // The class of a generic type is raw; a proxy of it is what it is a proxy of.
  @SuppressWarnings("unchecked")
  private <C extends ScanResultConsumerBase> AsyncTableBuilder<C> wrap(
      AsyncTableBuilder<C> builder,
      List<AsyncTableBuilder<?>> others,
      Function<AsyncTable<C>, ScansOfTable<C>> scansOf) {
    AsyncTableBuilder<?>[] self = new AsyncTableBuilder<?>[1];
    self[0] =
        Forwarding.proxy(
            AsyncTableBuilder.class,
            builder,
            (method, arguments, passOn) -> {
              Object result = passOn.call();
              if (method.getName().equals("build")) {
                AsyncTable<C> table = (AsyncTable<C>) result;
                return wrap(table, scansOf.apply(table));
              }
              for (AsyncTableBuilder<?> other : others) {
                Forwarding.invoke(other, method, arguments);
              }
              return self[0];
            });
    return (AsyncTableBuilder<C>) self[0];
  }

  @SuppressWarnings("unchecked")
  private <C extends ScanResultConsumerBase> AsyncTable<C> wrap(
      AsyncTable<C> table, ScansOfTable<C> routed) {
    return Forwarding.proxy(
        AsyncTable.class,
        table,
        (method, arguments, passOn) -> {
          switch (method.getName()) {
            case "scan":
              routed.scan((Scan) arguments[0], (C) arguments[1]);
              return null;
            case "scanAll":
              return routed.scanAll((Scan) arguments[0]);
            case "getScanner":
              return routed.scanner(scanOf(arguments));
            case "getConfiguration":
              return conf;
            default:
              return passOn.call();
          }
        });
  }

  /** What is scanned: as the user says, or a family, or a column. */
  private static Scan scanOf(Object[] arguments) {
    if (arguments[0] instanceof Scan scan) {
      return scan;
    }
    byte[] family = (byte[]) arguments[0];
    return arguments.length == 1
        ? new Scan().addFamily(family)
        : new Scan().addColumn(family, (byte[]) arguments[1]);
  }
}
