/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.plan.ScanRouter;
import io.hbaseindex.client.routing.source.FakeRoutes;
import io.hbaseindex.client.routing.source.RouteReply;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.time.MachineClock;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class AsyncScansTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] EMAIL = Bytes.toBytes("email");

  private final AsyncScans scans =
      new AsyncScans(
          new ScanRouter(
              RoutingSettings.of(new Configuration(false)),
              new NothingAnywhere(),
              MachineClock.of(() -> 0, () -> 0)),
          new Configuration(false));

  @Test
  void noRegionToBeAsked_resultsStillComeOnThePool() {
    Deque<Runnable> pool = new ArrayDeque<>();

    CompletableFuture<List<Result>> all = scans.scanAll(table(), pool::add, byEmail());

    assertThat(all).isNotDone();
    pool.remove().run();
    assertThat(all).isCompletedWithValue(List.of());
  }

  @Test
  void poolThatRefuses_isTold() {
    CompletableFuture<List<Result>> all =
        scans.scanAll(
            table(),
            task -> {
              throw new RejectedExecutionException("shut down");
            },
            byEmail());

    assertThatThrownBy(all::join).hasRootCauseInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void consumerThatThrowsAtTheEnd_isToldOfNoOther() {
    List<String> told = new ArrayList<>();
    AdvancedScanResultConsumer consumer =
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {
            throw new AssertionError("There is no row");
          }

          @Override
          public void onError(Throwable error) {
            told.add("error");
          }

          @Override
          public void onComplete() {
            told.add("end");
            throw new IllegalStateException("consumer's own");
          }
        };

    scans.scan(table(), byEmail(), consumer);

    assertThat(told).containsExactly("end");
  }

  @Test
  void consumerOnAPool_thatThrowsAtTheEnd_isToldOfNoOther() {
    List<String> told = new ArrayList<>();
    ScanResultConsumer consumer =
        new ScanResultConsumer() {
          @Override
          public boolean onNext(Result result) {
            throw new AssertionError("There is no row");
          }

          @Override
          public void onError(Throwable error) {
            told.add("error");
          }

          @Override
          public void onComplete() {
            told.add("end");
            throw new IllegalStateException("consumer's own");
          }
        };
    Deque<Runnable> pool = new ArrayDeque<>();

    scans.scan(table(), pool::add, byEmail(), consumer);
    Runnable task = pool.remove();

    assertThatThrownBy(task::run).hasMessage("consumer's own");
    assertThat(told).containsExactly("end");
  }

  @Test
  void consumerOnAPool_isToldOfErrors_too() {
    List<String> told = new ArrayList<>();
    ScanResultConsumer consumer =
        new ScanResultConsumer() {
          @Override
          public boolean onNext(Result result) {
            throw new AssertionError("There is no row");
          }

          @Override
          public void onError(Throwable error) {
            told.add(error.getMessage());
          }

          @Override
          public void onComplete() {
            told.add("end");
          }
        };
    AsyncScans unroutable =
        new AsyncScans(
            new ScanRouter(
                RoutingSettings.of(new Configuration(false)),
                new FakeRoutes() {
                  @Override
                  protected CompletableFuture<TableDescriptor> descriptor(TableName name) {
                    return CompletableFuture.failedFuture(new IOException("no master"));
                  }
                },
                MachineClock.of(() -> 0, () -> 0)),
            new Configuration(false));

    unroutable.scan(brokenTable(), Runnable::run, byEmail(), consumer);

    assertThat(told).containsExactly("broken");
  }

  /** A table that cannot be scanned for an error of the JVM's. */
  @SuppressWarnings("unchecked")
  private static AsyncTable<AdvancedScanResultConsumer> brokenTable() {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getName")) {
                return TABLE;
              }
              throw new NoClassDefFoundError("broken");
            });
  }

  @Test
  void masterThatFallsSilent_theConsumerIsNotCalledByTheTimerOfTheJvm() throws Exception {
    Configuration impatient = new Configuration(false);
    // Long enough for the scan to be begun before the time is up.
    impatient.setLong(RoutingSettings.TIMEOUT_MS, 300);
    impatient.setLong(RoutingSettings.FIRST_TIMEOUT_MS, 0);
    AsyncScans unanswered =
        new AsyncScans(
            new ScanRouter(
                RoutingSettings.of(impatient), new Silence(), MachineClock.of(() -> 0, () -> 0)),
            new Configuration(false));
    CompletableFuture<Thread> caller = new CompletableFuture<>();

    unanswered.scan(
        AsyncScansTest.closedTable(),
        byEmail(),
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {
            throw new AssertionError("There is no row");
          }

          @Override
          public void onError(Throwable error) {
            assertThat(error).hasMessage("closed");
            caller.complete(Thread.currentThread());
          }

          @Override
          public void onComplete() {
            throw new AssertionError("The table is closed");
          }
        });

    CompletableFuture<String> late = new CompletableFuture<>();
    CompletableFuture<Thread> timer = late.thenApply(value -> Thread.currentThread());
    late.completeOnTimeout("", 1, TimeUnit.MILLISECONDS);
    assertThat(caller.get(60, TimeUnit.SECONDS)).isNotSameAs(timer.join());
  }

  /** A table that calls nobody back: it throws. */
  @SuppressWarnings("unchecked")
  private static AsyncTable<AdvancedScanResultConsumer> closedTable() {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getName")) {
                return TABLE;
              }
              throw new IllegalStateException("closed");
            });
  }

  /** A master that never answers. */
  private static final class Silence extends FakeRoutes {
    @Override
    protected CompletableFuture<TableDescriptor> descriptor(TableName name) {
      return new CompletableFuture<>();
    }
  }

  @SuppressWarnings("unchecked")
  private static AsyncTable<AdvancedScanResultConsumer> table() {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("getName");
              return TABLE;
            });
  }

  private static Scan byEmail() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(F, EMAIL, CompareOperator.EQUAL, Bytes.toBytes("x"));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  /** A master whose filters exclude every region. */
  private static final class NothingAnywhere extends FakeRoutes {
    private final TableDescriptor table =
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            IndexDefinition.on("f", "email").named("by_email").eager());

    @Override
    protected CompletableFuture<TableDescriptor> descriptor(TableName name) {
      return CompletableFuture.completedFuture(table);
    }

    @Override
    protected CompletableFuture<RouteReply> route(TableName name, RoutePredicate predicate) {
      return CompletableFuture.completedFuture(
          new RouteReply(
              new RouteAnswer(List.of(), 3, 0, 0), OptionalLong.of(TableShape.of(table)), false));
    }
  }
}
