package io.hbaseindex.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.publish.PublishClock;
import io.hbaseindex.core.publish.RegionCopy;
import io.hbaseindex.core.publish.RouteAnswer;
import io.hbaseindex.core.publish.RoutePredicate;
import io.hbaseindex.query.TableShape;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
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
              PublishClock.of(() -> 0, () -> 0)));

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

  private static AsyncTable<?> table() {
    return (AsyncTable<?>)
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
  private static final class NothingAnywhere implements RouteSource {
    private final TableDescriptor table =
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            IndexDefinition.on("f", "email").named("by_email").eager());

    @Override
    public CompletableFuture<TableDescriptor> descriptor(TableName name) {
      return CompletableFuture.completedFuture(table);
    }

    @Override
    public CompletableFuture<Answer> route(TableName name, RoutePredicate predicate) {
      return CompletableFuture.completedFuture(
          new Answer(
              new RouteAnswer(List.of(), 3, 0, 0), OptionalLong.of(TableShape.of(table)), false));
    }

    @Override
    public CompletableFuture<Filters> filters(
        TableName name, Set<RegionCopy.Version> known, long maxBytes) {
      throw new AssertionError("Strong scans need no copy");
    }
  }
}
