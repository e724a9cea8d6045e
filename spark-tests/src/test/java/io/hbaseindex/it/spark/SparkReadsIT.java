/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.spark.FrameTable.Watched;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Spark sends to the indexes of a table of twelve regions, by the servers' own counts. */
@OnSharedCluster
class SparkReadsIT {
  private static final int REGIONS = 12;
  private static final int ROWS = 1_200;
  private static final String COLUMNS =
      "id :key string, email f:email string, city f:city string, joined f:joined long, phone f:phone string";

  private static FrameTable table;
  private static TestCluster cluster;

  @BeforeAll
  static void fill(TestCluster shared) throws Exception {
    cluster = shared;
    table =
        FrameTable.create(
            cluster,
            IntStream.range(1, REGIONS).mapToObj(i -> key(i * ROWS / REGIONS)).toList(),
            IndexDefinition.on("f", "email").as(ValueType.STRING).named("by_email").eager(),
            IndexDefinition.on("f", "city").as(ValueType.STRING).named("by_city").eager(),
            IndexDefinition.on("f", "joined").as(ValueType.LONG).named("by_joined").eager());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(person(i));
    }
    table.table().put(puts);
    table.awaitPrecise();
  }

  /** Every tenth person has joined nothing, every third has no phone; a city has two regions. */
  private static Put person(int i) {
    Put put = new Put(Bytes.toBytes(key(i)));
    put.addColumn(FrameTable.F, Bytes.toBytes("email"), Bytes.toBytes(email(i)));
    put.addColumn(FrameTable.F, Bytes.toBytes("city"), Bytes.toBytes(city(i)));
    if (i % 10 != 0) {
      put.addColumn(FrameTable.F, Bytes.toBytes("joined"), Bytes.toBytes(joined(i)));
    }
    if (i % 3 != 0) {
      put.addColumn(FrameTable.F, Bytes.toBytes("phone"), Bytes.toBytes("0" + i));
    }
    return put;
  }

  private static String key(int i) {
    return "p%04d".formatted(i);
  }

  private static String email(int i) {
    return "p%d@example.org".formatted(i);
  }

  private static String city(int i) {
    return "city" + i / (2 * ROWS / REGIONS);
  }

  /** Each number once, and half of them negative. */
  private static long joined(int i) {
    return (i * 7L) % ROWS - ROWS / 2;
  }

  @AfterAll
  static void drop() throws IOException {
    table.close();
  }

  private static Dataset<Row> people() {
    return table.frame(COLUMNS);
  }

  private static Watched<List<Row>> read(Dataset<Row> rows) throws Exception {
    return table.watch(rows::collectAsList);
  }

  @Test
  void uniqueValue_readsOneRegionOfTwelve() throws Exception {
    Watched<List<Row>> found = read(people().where("email = 'p567@example.org'"));

    assertThat(found.regions()).containsExactly(5);
    assertThat(found.result()).hasSize(1);
    assertThat(found.result().get(0).toString())
        .isEqualTo("[p0567,p567@example.org,city2,%d,null]".formatted(joined(567)));
  }

  @Test
  void absentValue_readsNoRegion() throws Exception {
    Watched<List<Row>> found = read(people().where("email = 'nobody'"));

    assertThat(found.regions()).isEmpty();
    assertThat(found.result()).isEmpty();
  }

  @Test
  void conditionsThatSparkKeeps_narrowWhatTheIndexFinds() throws Exception {
    Watched<List<Row>> found =
        read(people().where("city = 'city1' and upper(phone) like '%3'").select("id"));

    assertThat(found.regions()).containsExactly(2, 3);
    assertThat(found.result()).hasSize(13);
  }

  @Test
  void number_isCountedByPostings_andNoRowIsSent() throws Exception {
    IndexCounters before = table.counters();
    long found = people().where("city = 'city4'").count();
    IndexCounters counted = table.counters().since(before);

    assertThat(found).isEqualTo(200);
    assertThat(counted.get(IndexCounter.SCANS_COUNTED)).as("regions asked").isEqualTo(2);
    assertThat(counted.get(IndexCounter.COUNTED_BY_POSTINGS)).isEqualTo(200);
    assertThat(counted.get(IndexCounter.COUNTED_BY_ROWS)).isZero();
  }

  @Test
  void numberOfNothing_isZero_andOfAllRowsIsCountedByTheServers() throws Exception {
    assertThat(people().where("email = 'nobody'").count()).isZero();
    IndexCounters before = table.counters();

    assertThat(people().count()).isEqualTo(ROWS);

    assertThat(table.counters().since(before).get(IndexCounter.COUNTED_BY_ROWS)).isEqualTo(ROWS);
  }

  @Test
  void figures_comeFromTheOrderOfAnIndex() throws Exception {
    IndexCounters before = table.counters();
    Row all =
        people()
            .agg(
                functions.min("joined"),
                functions.max("joined"),
                functions.count("joined"),
                functions.count("*"))
            .first();

    assertThat(all.getLong(0)).isEqualTo(-599);
    assertThat(all.getLong(1)).isEqualTo(599);
    assertThat(all.getLong(2)).isEqualTo(ROWS * 9 / 10);
    assertThat(all.getLong(3)).isEqualTo(ROWS);
    assertThat(table.counters().since(before).get(IndexCounter.ORDERED_BY_POSTINGS))
        .isEqualTo(2 * REGIONS);
    Row none =
        people()
            .where("email = 'nobody'")
            .agg(functions.min("joined"), functions.count("*"))
            .first();
    assertThat(none.isNullAt(0)).isTrue();
    assertThat(none.getLong(1)).isZero();
  }

  @Test
  void firstRowsInOrder_areFoundByPostings() throws Exception {
    IndexCounters before = table.counters();
    List<Row> latest =
        people().orderBy(functions.desc("joined")).limit(3).select("joined").collectAsList();

    assertThat(latest.stream().map(row -> row.getLong(0))).containsExactly(599L, 598L, 597L);
    IndexCounters counted = table.counters().since(before);
    assertThat(counted.get(IndexCounter.ORDERED_BY_POSTINGS)).isPositive();
    assertThat(counted.get(IndexCounter.ORDERED_BY_ROWS)).isZero();
    assertThat(counted.get(IndexCounter.ROWS_READ)).isLessThan(4L * 3 * REGIONS);
  }

  @Test
  void rowsWithoutTheColumn_comeLast_orFirst_asSparkHasThem() {
    Dataset<Row> two = people().where("id in ('p0010', 'p0011', 'p0020', 'p0021')");
    assertThat(keys(two.orderBy(functions.desc("joined"), functions.asc("id")).limit(9)))
        .containsExactly("p0021", "p0011", "p0010", "p0020");
    Dataset<Row> few = people().where("id < 'p0003'");
    assertThat(keys(few.orderBy(functions.desc("joined")).limit(3)))
        .containsExactly("p0002", "p0001", "p0000");
    assertThat(keys(few.orderBy(functions.asc("joined")).limit(1))).containsExactly("p0000");
    assertThat(keys(few.where("joined is not null").orderBy("joined").limit(1)))
        .containsExactly("p0001");
  }

  @Test
  void limit_readsNoMoreRowsOfARegionThanThat() throws Exception {
    IndexCounters before = table.counters();
    List<Row> some = people().where("city = 'city3'").limit(5).collectAsList();

    assertThat(some).hasSize(5);
    assertThat(table.counters().since(before).get(IndexCounter.ROWS_READ)).isLessThan(20);
  }

  @Test
  void join_readsTheRegionsOfTheOtherSidesValues() throws Exception {
    Dataset<Row> wanted =
        FrameTable.spark()
            .range(0, 1_000)
            .selectExpr("concat('p', id * 100 + 50, '@example.org') as address", "id as n")
            .where("n in (2, 7, 999)");
    Watched<List<Row>> found =
        table.watch(
            () ->
                people()
                    .join(
                        functions.broadcast(wanted),
                        functions.col("email").equalTo(functions.col("address")))
                    .select("id")
                    .collectAsList());

    assertThat(found.result().stream().map(row -> row.getString(0)))
        .containsExactlyInAnyOrder("p0250", "p0750");
    assertThat(found.regions()).containsExactly(2, 7);
  }

  @Test
  void keys_areNoColumnsOfIndexes_andStillChooseRegions() throws Exception {
    Watched<List<Row>> found = read(people().where("id = 'p0333' or id = 'nobody'"));
    assertThat(found.result()).hasSize(1);
    found = read(people().where("id = 'p0333'"));
    assertThat(found.result()).hasSize(1);
    assertThat(found.regions()).containsExactly(3);
    found = read(people().where("id >= 'p0250' and id < 'p0350' and city = 'city1'"));
    assertThat(found.result()).hasSize(100);
    assertThat(found.regions()).containsExactly(2, 3);
    found = read(people().where("id like 'p11%'").select("id"));
    assertThat(found.result()).hasSize(100);
    // The last region begins at p1100, behind p11.
    assertThat(found.regions()).containsExactly(10, 11);
    assertThat(read(people().where("id < 'a'")).regions()).containsExactly(0);
  }

  @Test
  void partitions_areRegions_withTheServersThatHoldThem() {
    RDD<Row> city = people().where("city = 'city2'").rdd();

    assertThat(city.getNumPartitions()).isEqualTo(2);
    assertThat(people().rdd().getNumPartitions()).isEqualTo(REGIONS);
    for (int part = 0; part < 2; part++) {
      assertThat(FrameTable.spark().sparkContext().getPreferredLocs(city, part).mkString())
          .isNotBlank();
    }
  }

  @Test
  void explain_tellsWhatIsAsked() {
    String plan = people().where("city = 'city2' and phone is null").queryExecution().toString();

    assertThat(plan).contains("hbase-index").contains("f:city = city2").contains("f:phone is null");
  }

  @Test
  void withoutColumns_thoseOfTheIndexesAreShown() {
    Dataset<Row> inferred = table.reader().load();

    assertThat(inferred.schema().simpleString())
        .isEqualTo("struct<rowkey:binary,city:string,email:string,joined:bigint>");
    assertThat(inferred.where("joined = -5").count()).isEqualTo(1);
  }

  @Test
  void tableWithoutIndexes_isReadAsItIs() throws Exception {
    try (FrameTable plain = FrameTable.create(cluster, List.of("m"))) {
      for (String row : List.of("a", "n", "z")) {
        plain
            .table()
            .put(
                new Put(Bytes.toBytes(row))
                    .addColumn(FrameTable.F, Bytes.toBytes(row), Bytes.toBytes(row + "1")));
      }
      Dataset<Row> rows = plain.frame("id :key string, a f:a string, n f:n string");

      assertThat(rows.collectAsList().stream().map(Row::toString))
          .containsExactlyInAnyOrder("[a,a1,null]", "[n,null,n1]", "[z,null,null]");
      assertThat(rows.select("n").collectAsList()).hasSize(3);
      assertThat(keys(rows.where("a = 'a1'"))).containsExactly("a");
      assertThat(keys(rows.where("a is null"))).containsExactlyInAnyOrder("n", "z");
      assertThat(rows.count()).isEqualTo(3);
      assertThat(keys(rows.orderBy(functions.desc("a")).limit(1))).containsExactly("a");
    }
  }

  @Test
  void cellThatIsNoValueOfItsType_failsTheQueryThatReadsIt() throws Exception {
    try (FrameTable plain = FrameTable.create(cluster, List.of())) {
      plain
          .table()
          .put(
              new Put(Bytes.toBytes("r"))
                  .addColumn(FrameTable.F, Bytes.toBytes("age"), Bytes.toBytes("old")));
      Dataset<Row> rows = plain.frame("id :key string, age f:age long");

      assertThat(rows.select("id").collectAsList()).hasSize(1);
      assertThat(catchThrowable(() -> rows.collectAsList()))
          .hasStackTraceContaining(
              "Cannot read column age of row r: f:age held old, which is no bigint");
    }
  }

  @Test
  void whatIsMissingOrMisspelled_isSaid() {
    assertThatThrownBy(() -> FrameTable.spark().read().format("hbase-index").load())
        .hasMessageContaining("Cannot read from HBase: option table was missing");
    assertThatThrownBy(() -> table.frame("id"))
        .hasMessageContaining("Cannot read column \"id\": it was not of the form: name column");
    assertThatThrownBy(() -> FrameTable.reader(cluster, TableName.valueOf("no_such_table")).load())
        .hasMessageContaining("Cannot read table no_such_table");
  }

  private static List<String> keys(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(row -> row.getString(0)).toList();
  }
}
