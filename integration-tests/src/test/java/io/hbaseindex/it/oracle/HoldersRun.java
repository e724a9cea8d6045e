/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.it.cluster.RoutedReads;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexProbe;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Bursts of random writes to one table, and after each burst every kind of query: through routes,
 * and by a scan that uses neither index nor route.
 */
final class HoldersRun implements AutoCloseable {
  private static final int STEPS_OF_A_BURST = 40;
  private static final int FEWEST_BURSTS = 4;
  private static final int TRIES_WHILE_VALUES_EXPIRE = 30;
  private static final int UNIQUE_VALUES = 20;
  private static final long ROUTE_TIMEOUT_MILLIS = 10_000;

  /** Who answers routes, and where its counters are. */
  enum Holder {
    MASTER,
    REGIONS;

    private MetricRegistry registry() {
      return this == MASTER ? IndexRegistry.ofMaster() : IndexRegistry.ofHolders();
    }

    private long count(String name) {
      return registry().counter(name).getCount();
    }

    private Holder other() {
      return this == MASTER ? REGIONS : MASTER;
    }
  }

  /** Something that happens to the filters while rows are written. */
  @FunctionalInterface
  interface Change {
    void make() throws Exception;
  }

  private final TestCluster cluster;
  private final TableName name;
  private final Table table;
  private final RoutedReads routed;
  private final Workload workload;
  private final Queries queries;
  private final History history = new History();
  private int unique;

  HoldersRun(TestCluster cluster, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    TableDescriptor descriptor = OracleTable.descriptor();
    Universe universe = Universe.large();
    this.cluster = cluster;
    this.name = descriptor.getTableName();
    cluster.tables().create(descriptor, OracleTable.firstSplits());
    this.table = cluster.connection().getTable(name);
    this.routed = new RoutedReads(cluster, name, ROUTE_TIMEOUT_MILLIS);
    this.workload = new Workload(universe, System.currentTimeMillis(), random.split());
    this.queries = new Queries(universe, random.split());
  }

  TableName name() {
    return name;
  }

  /** Writes and compares from before the change until all regions are precise after it. */
  void through(String what, Change change) throws Exception {
    history.addEvent(what);
    burst();
    FutureTask<Void> making =
        new FutureTask<>(
            () -> {
              change.make();
              return null;
            });
    Thread thread = new Thread(making, "holders-oracle-change");
    thread.setDaemon(true);
    thread.start();
    for (int burst = 0; burst < FEWEST_BURSTS || !making.isDone(); burst++) {
      burst();
    }
    making.get(Waits.HANG.toSeconds(), TimeUnit.SECONDS);
    cluster.tables().awaitPrecise(name);
    burst();
  }

  private void burst() throws Exception {
    for (int step = 0; step < STEPS_OF_A_BURST; step++) {
      Step next = workload.next();
      history.add(next);
      next.call().on(table);
    }
    for (QueryShape shape : QueryShape.values()) {
      compare(queries.next(shape));
    }
  }

  /** Asked again where values have expired between the two plain scans. */
  private void compare(Query query) throws IOException {
    for (int attempt = 0; attempt < TRIES_WHILE_VALUES_EXPIRE; attempt++) {
      Answer before = Answer.of(table, IndexProbe.withoutIndex(query.scan()));
      Answer found = routed(query.scan());
      if (found.equals(before)) {
        return;
      }
      if (before.equals(Answer.of(table, IndexProbe.withoutIndex(query.scan())))) {
        throw new AssertionError(difference(query, before, found));
      }
    }
    throw new AssertionError("The plain scan never gave the same answer twice: " + query);
  }

  private Answer routed(Scan template) throws IOException {
    Scan scan = new Scan(template);
    try (ResultScanner scanner = routed.scan(scan)) {
      return Answer.collect(scanner, scan);
    }
  }

  private String difference(Query query, Answer plain, Answer found) {
    StringBuilder text =
        new StringBuilder(
            "After %d operations the plain scan gave %s, the routed one %s to %s%n"
                .formatted(history.operations(), plain, found, query));
    plain.rowsThatDiffer(found).stream()
        .limit(3)
        .forEach(
            row ->
                text.append(plain.hasRow(row) ? "MISSED " : "INVENTED ").append(history.of(row)));
    return text.append(history.eventLog()).toString();
  }

  /**
   * New values that one row has are found, their routes leave out all other regions, and it is this
   * holder that said so, by its own counters.
   */
  void requireRoutedBy(Holder holder) throws Exception {
    int regions = cluster.regions().of(name).size();
    long precise = holder.count("routesPrecise");
    long excluded = holder.count("routesExcludedRegions");
    long asked = holder.count("routesAskedRegions");
    long elsewhere = holder.other().count("routesPrecise");
    for (int i = 0; i < UNIQUE_VALUES; i++) {
      requireRouted(regions);
    }
    assertThat(holder.count("routesPrecise") - precise).isGreaterThanOrEqualTo(UNIQUE_VALUES);
    assertThat(holder.count("routesExcludedRegions") - excluded)
        .isGreaterThanOrEqualTo((long) UNIQUE_VALUES * (regions - 1));
    assertThat(holder.count("routesAskedRegions") - asked).isGreaterThanOrEqualTo(UNIQUE_VALUES);
    assertThat(holder.other().count("routesPrecise")).isEqualTo(elsewhere);
  }

  private void requireRouted(int regions) throws IOException {
    String value = "unique" + unique;
    String row = "k%03d-%d".formatted(unique * 37 % 240, unique);
    unique++;
    byte[] family = Column.EMAIL.family();
    table.put(
        new Put(Bytes.toBytes(row))
            .addColumn(family, Column.EMAIL.qualifier(), Bytes.toBytes(value)));
    Query query = queries.equal(Column.EMAIL, Bytes.toBytes(value));
    try (ResultScanner scanner = routed.scan(new Scan(query.scan()))) {
      assertThat(TestTable.rowsOf(scanner)).containsExactly(row);
    }
    RoutePlan plan =
        Waits.until("a precise route for " + value)
            .until(
                () -> routed.route(new Scan(query.scan())),
                route -> route.filter(RoutePlan::isPrecise).isPresent())
            .orElseThrow();
    assertThat(plan.skippedRegions()).isEqualTo(regions - 1);
  }

  @Override
  public void close() throws IOException {
    routed.close();
    table.close();
    cluster.tables().drop(name);
  }
}
