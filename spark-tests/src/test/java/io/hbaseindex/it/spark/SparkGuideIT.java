/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.spark.FrameTable.Watched;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Console;
import scala.Function0;

/**
 * The code of docs/guides/SPARK.md: read from the page, compiled and run, line by line where each
 * line claims something. Python is not run, but what it tells Spark is.
 */
@OnSharedCluster
class SparkGuideIT {
  private static final int REGIONS = 4;
  private static final int ROWS = 80;
  private static final int HANNAH = 47;

  private static SparkPage page;
  private static FrameTable people;

  @BeforeAll
  static void fill(TestCluster cluster) throws Exception {
    page = SparkPage.read();
    people =
        FrameTable.create(
            cluster,
            TableName.valueOf("people"),
            IntStream.range(1, REGIONS).mapToObj(i -> key(i * ROWS / REGIONS)).toList(),
            IndexDefinition.on("f", "email").as(ValueType.STRING).named("by_email").eager(),
            IndexDefinition.on("f", "city").as(ValueType.STRING).named("by_city").eager(),
            IndexDefinition.on("f", "joined").as(ValueType.LONG).named("by_joined").eager());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(Bytes.toBytes(key(i)))
              .addColumn(FrameTable.F, Bytes.toBytes("name"), Bytes.toBytes("Person " + i))
              .addColumn(FrameTable.F, Bytes.toBytes("email"), Bytes.toBytes(email(i)))
              .addColumn(FrameTable.F, Bytes.toBytes("city"), Bytes.toBytes(city(i)))
              .addColumn(FrameTable.F, Bytes.toBytes("joined"), Bytes.toBytes(1_000L + i)));
    }
    people.table().put(puts);
    people.awaitPrecise();
    Configuration settings = FrameTable.spark().sparkContext().hadoopConfiguration();
    for (String name : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      settings.set(name, cluster.configuration().get(name));
    }
  }

  @AfterAll
  static void drop() throws IOException {
    people.close();
  }

  private static String key(int i) {
    return "p%02d".formatted(i);
  }

  private static String email(int i) {
    return i == HANNAH ? "hannah@example.org" : "p%d@example.org".formatted(i);
  }

  /** All of Graz is in the last region. */
  private static String city(int i) {
    return i >= ROWS - 5 ? "Graz" : "Wien";
  }

  /** Not rows of this program: Spark would look at those before it plans the join. */
  private static Dataset<Row> orders() {
    return FrameTable.spark()
        .range(0, ROWS)
        .selectExpr(
            "cast(id as int) as number",
            "if(id = 17, 'hannah@example.org', concat('p', id, '@example.org')) as email");
  }

  /** Runs a statement; gives what it printed, and what it came to. */
  private static Watched<String> run(int statement) throws Exception {
    Method compiled =
        page.compiledJava().getMethod("statement" + statement, SparkSession.class, Dataset.class);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    // Frames are shown on Scala's console, which keeps the stream that it began with.
    Function0<Object> typed = () -> invoke(compiled, FrameTable.spark(), orders());
    return people.watch(
        () -> {
          Object result = Console.withOut(printed, typed);
          return printed.toString(StandardCharsets.UTF_8) + result;
        });
  }

  private static Object invoke(Method method, Object... arguments) {
    try {
      return method.invoke(null, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void java_eachLine_doesWhatItsCommentSays() throws Exception {
    assertThat(page.javaStatements()).hasSize(4);

    Watched<String> unique = run(0);
    assertThat(unique.result()).contains(key(HANNAH), "hannah@example.org");
    assertThat(unique.regions()).containsExactly(2);

    IndexCounters before = people.counters();
    Watched<String> counted = run(1);
    assertThat(counted.result()).isEqualTo("5");
    assertThat(people.counters().since(before).get(IndexCounter.COUNTED_BY_POSTINGS)).isEqualTo(5);

    Watched<String> latest = run(2);
    assertThat(latest.result().lines().filter(line -> line.contains("@example.org")))
        .hasSize(10)
        .first()
        .asString()
        .contains(key(ROWS - 1));

    Watched<String> joined = run(3);
    assertThat(joined.result()).contains(key(HANNAH), "17").doesNotContain(key(3), key(70));
    assertThat(joined.regions()).containsExactly(2);
  }

  @Test
  void python_tellsSparkTheSame() {
    assertThat(page.pythonOptions())
        .isEqualTo(page.javaOptions())
        .containsOnlyKeys("table", "columns");
    var reader = FrameTable.spark().read().format("hbase-index");
    for (Map.Entry<String, String> option : page.pythonOptions().entrySet()) {
      reader.option(option.getKey(), option.getValue());
    }
    Dataset<Row> frame = reader.load();
    assertThat(frame.where(page.pythonCondition()).collectAsList()).hasSize(1);
    frame.createOrReplaceTempView("people");
    List<Row> latest = FrameTable.spark().sql(page.pythonSql()).collectAsList();
    assertThat(latest).hasSize(10);
    assertThat(latest.get(0).toString()).isEqualTo("[Graz,%d]".formatted(1_000 + ROWS - 1));
  }

  @Test
  void scala_isCompiledAndReadsTheRegionThatHoldsTheCity() throws Exception {
    Class<?> compiled = page.compiledScala();
    Watched<Object> names =
        people.watch(
            () ->
                compiled
                    .getMethod("run", SparkContext.class)
                    .invoke(null, FrameTable.spark().sparkContext()));

    assertThat((String[]) names.result())
        .containsExactly("Person 75", "Person 76", "Person 77", "Person 78", "Person 79");
    assertThat(names.regions()).containsExactly(3);
  }
}
