/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of many regions whose rows are known, with an index for each kind of question. */
final class VisitedTable {
  private static final String FAMILY = "f";
  private static final Column ID = Column.of(FAMILY, "id");
  private static final Column UNIFORM = Column.of(FAMILY, "uniform");
  private static final Column NEAR_KEY = Column.of(FAMILY, "near");
  private static final Column SKEWED = Column.of(FAMILY, "skewed");
  private static final Column CITY = Column.of(FAMILY, "city");
  private static final Column STATUS = Column.of(FAMILY, "status");
  private static final int CITIES = 3_000;
  private static final int DAYS = 365;
  private static final int STATES = 20;
  private static final int ROWS_ASKED = 20;
  private static final int PREFIX = 3;
  private static final int BATCH = 2_000;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** A kind of question. */
  enum Question {
    EQUALITY("a unique value"),
    COMBINATION("two columns of an index of three, a declared set"),
    UNIFORM_RANGE("20 rows in a range of uniform numbers"),
    CORRELATED_RANGE("20 rows in a range of numbers that follow the key"),
    SKEWED_RANGE("20 rows in a range of skewed numbers"),
    NAME_PREFIX("a prefix of random names"),
    ABSENT("a value that nobody has");

    private final String label;

    Question(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** What is asked, how many rows that is, and in how many regions. */
  record Asked(Condition condition, long rows, long regions) {}

  private record Row(
      int region, String id, long uniform, long near, long skewed, String city, String status) {}

  private final BenchCluster cluster;
  private final TableName name = TableName.valueOf("visited");
  private final List<Row> rows = new ArrayList<>();
  private final List<Row> byUniform;
  private final List<Row> byNearKey;
  private final List<Row> bySkewed;

  private VisitedTable(BenchCluster cluster, int regions, int each, SplittableRandom random) {
    this.cluster = cluster;
    for (int number = 0; number < regions * each; number++) {
      rows.add(row(number / each, regions, random));
    }
    this.byUniform = sorted(Comparator.comparingLong(Row::uniform));
    this.byNearKey = sorted(Comparator.comparingLong(Row::near));
    this.bySkewed = sorted(Comparator.comparingLong(Row::skewed));
  }

  private static Row row(int region, int regions, SplittableRandom random) {
    double place = Math.max(0, region + 5 * random.nextGaussian()) / (regions + 50);
    return new Row(
        region,
        "%016x".formatted(random.nextLong()),
        random.nextLong() >>> 1,
        (long) (place * Long.MAX_VALUE),
        (long) Math.exp(Math.log(1L << 60) * random.nextDouble()),
        "city" + random.nextInt(CITIES),
        "status" + random.nextInt(STATES));
  }

  private List<Row> sorted(Comparator<Row> order) {
    return rows.stream().sorted(order).toList();
  }

  /** Creates the table and writes its rows. */
  static VisitedTable create(BenchCluster cluster, int regions, int each, SplittableRandom random)
      throws IOException {
    VisitedTable table = new VisitedTable(cluster, regions, each, random);
    byte[][] splits = new byte[regions - 1][];
    for (int region = 1; region < regions; region++) {
      splits[region - 1] = key(region * each);
    }
    cluster.create(table.descriptor(), splits);
    table.load(random);
    cluster.flush(table.name);
    return table;
  }

  private TableDescriptor descriptor() {
    return IndexedTableDescriptor.with(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        IndexDefinition.on(FAMILY, "id").named("by_id").eager(),
        number("uniform"),
        number("near"),
        number("skewed"),
        IndexDefinition.on(FAMILY, "city")
            .and(FAMILY, "day")
            .and(FAMILY, "status")
            .routes("f:city", "f:status")
            .named("by_city")
            .eager());
  }

  private static IndexDefinition number(String column) {
    return IndexDefinition.on(FAMILY, column).as(ValueType.LONG).named("by_" + column).eager();
  }

  private void load(SplittableRandom random) throws IOException {
    try (Table table = cluster.connection().getTable(name)) {
      List<Put> puts = new ArrayList<>(BATCH);
      for (int number = 0; number < rows.size(); number++) {
        Row row = rows.get(number);
        puts.add(
            new Put(key(number))
                .addColumn(Bytes.toBytes(FAMILY), Bytes.toBytes("id"), text(row.id))
                .addColumn(Bytes.toBytes(FAMILY), Bytes.toBytes("uniform"), long8(row.uniform))
                .addColumn(Bytes.toBytes(FAMILY), Bytes.toBytes("near"), long8(row.near))
                .addColumn(Bytes.toBytes(FAMILY), Bytes.toBytes("skewed"), long8(row.skewed))
                .addColumn(Bytes.toBytes(FAMILY), Bytes.toBytes("city"), text(row.city))
                .addColumn(
                    Bytes.toBytes(FAMILY), Bytes.toBytes("day"), text("day" + random.nextInt(DAYS)))
                .addColumn(Bytes.toBytes(FAMILY), Bytes.toBytes("status"), text(row.status)));
        if (puts.size() == BATCH) {
          table.put(puts);
          puts.clear();
        }
      }
      table.put(puts);
    }
  }

  private static byte[] key(int number) {
    return text("r%09d".formatted(number));
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] long8(long value) {
    return Bytes.toBytes(value);
  }

  TableName name() {
    return name;
  }

  /** A connection that waits for a route as long as it takes. */
  Connection connect(Configuration cluster) throws IOException {
    Configuration conf = new Configuration(cluster);
    conf.setLong(RoutingSettings.TIMEOUT_MS, LIMIT.toMillis());
    return ConnectionFactory.createConnection(conf);
  }

  /** Returns when the filter of every region is trusted. */
  void awaitPrecise() throws IOException, InterruptedException {
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    admin.awaitReady(name, LIMIT, Progress.NONE);
    long began = System.nanoTime();
    while (!admin.routing(name).isPrecise()) {
      if (System.nanoTime() - began > LIMIT.toNanos()) {
        throw new IOException("Cannot go on: regions of " + name + " do not become precise");
      }
      Thread.sleep(100);
    }
  }

  /** The next question of a kind. */
  Asked ask(Question question, SplittableRandom random) {
    Row row = rows.get(random.nextInt(rows.size()));
    return switch (question) {
      case EQUALITY -> asked(ID.equalTo(row.id), other -> other.id.equals(row.id));
      case COMBINATION ->
          asked(
              CITY.equalTo(row.city).and(STATUS.equalTo(row.status)),
              other -> other.city.equals(row.city) && other.status.equals(row.status));
      case UNIFORM_RANGE -> range(UNIFORM, byUniform, Row::uniform, random);
      case CORRELATED_RANGE -> range(NEAR_KEY, byNearKey, Row::near, random);
      case SKEWED_RANGE -> range(SKEWED, bySkewed, Row::skewed, random);
      case NAME_PREFIX -> {
        String prefix = row.id.substring(0, PREFIX);
        yield asked(ID.startsWith(prefix), other -> other.id.startsWith(prefix));
      }
      case ABSENT -> asked(ID.equalTo("nobody" + random.nextLong()), other -> false);
    };
  }

  private Asked range(
      Column column, List<Row> sorted, ToLongFunction<Row> value, SplittableRandom random) {
    int first = random.nextInt(sorted.size() - ROWS_ASKED);
    long low = value.applyAsLong(sorted.get(first));
    long high = value.applyAsLong(sorted.get(first + ROWS_ASKED - 1));
    return asked(
        column.between(Value.of(low), Value.of(high)),
        row -> value.applyAsLong(row) >= low && value.applyAsLong(row) <= high);
  }

  private Asked asked(Condition condition, Predicate<Row> matches) {
    Set<Integer> regions = new HashSet<>();
    long count = 0;
    for (Row row : rows) {
      if (matches.test(row)) {
        count++;
        regions.add(row.region);
      }
    }
    return new Asked(condition, count, regions.size());
  }
}
