/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.metrics.IndexCounter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.types.DataType;
import org.apache.hadoop.hbase.types.OrderedFloat64;
import org.apache.hadoop.hbase.types.OrderedInt32;
import org.apache.hadoop.hbase.types.OrderedString;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/**
 * Random conditions over columns of all kinds, with nulls, NaNs, zeros of both signs and empty
 * texts: the table answers as Spark does where it has the same rows in memory.
 */
@OnSharedCluster
class SparkDifferentialIT {
  private static final int ROWS = 300;
  private static final int QUERIES = 40;
  private static final String COLUMNS =
      "id :key string, s f:s string, l f:l long, d f:d double, m f:m decimal(10,2), b f:b boolean,"
          + " i f:i ordered-int, o f:o ordered-double, t f:t ordered-string, x f:x bytes, n f:n float";

  private record Kind(String name, List<String> literals, List<Object> values) {}

  /** Few values, so that conditions meet some rows and not others. */
  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "s", List.of("''", "'a'", "'ab'", "'b'", "'ö'"), List.of("", "a", "ab", "b", "ö")),
          new Kind("l", List.of("-3L", "0L", "7L"), List.of(-3L, 0L, 7L, Long.MIN_VALUE)),
          new Kind(
              "d",
              List.of("-1.5D", "0.0D", "-0.0D", "2.0D", "double('NaN')", "double('Infinity')"),
              List.of(-1.5, 0.0, -0.0, 2.0, Double.NaN, Double.POSITIVE_INFINITY, negativeNaN())),
          new Kind(
              "m",
              List.of("1.00BD", "-2.5BD", "0BD", "1.01BD"),
              List.of(
                  dec("1.0"), dec("1.00"), dec("-2.50"), dec("0"), dec("0.0"), dec("12345678"))),
          new Kind("b", List.of("true", "false"), List.of(true, false)),
          new Kind("i", List.of("-1", "0", "5"), List.of(-1, 0, 5)),
          new Kind(
              "o",
              List.of("-1.5D", "0.0D", "-0.0D", "2.0D", "double('NaN')"),
              List.of(-1.5, 0.0, -0.0, 2.0, Double.NaN)),
          new Kind("t", List.of("''", "'a'", "'ab'"), List.of("", "a", "ab", "b")),
          new Kind("n", List.of("float(1.5)", "float('NaN')"), List.of(1.5f, -0.0f, Float.NaN)));

  private static final List<String> ORDERS =
      List.of("l desc", "m desc", "s", "i desc", "t nulls last", "o desc", "d desc");

  private static double negativeNaN() {
    return Double.longBitsToDouble(0xFFF8000000000001L);
  }

  private static BigDecimal dec(String digits) {
    return new BigDecimal(digits);
  }

  @Test
  void randomConditions_answerAsInMemory(TestCluster cluster) throws Exception {
    for (long seed : Seed.fixed(1L)) {
      System.out.printf(
          "SparkDifferentialIT seed %d; replay with -D%s=%d%n", seed, Seed.PROPERTY, seed);
      run(cluster, new Random(seed), "seed " + seed);
    }
  }

  private static void run(TestCluster cluster, Random random, String seed) throws Exception {
    try (FrameTable table =
        FrameTable.create(
            cluster,
            List.of("r100", "r200"),
            index("s", ValueType.STRING),
            index("l", ValueType.LONG),
            index("d", ValueType.DOUBLE),
            index("m", ValueType.DECIMAL),
            index("i", ValueType.ORDERED_INT),
            index("o", ValueType.ORDERED_DOUBLE),
            index("t", ValueType.ORDERED_STRING))) {
      List<Row> rows = fill(table, random);
      table.awaitPrecise();
      Dataset<Row> asked = table.frame(COLUMNS);
      StructType schema = asked.schema();
      asked.createOrReplaceTempView("asked");
      FrameTable.spark().createDataFrame(rows, schema).createOrReplaceTempView("in_memory");
      IndexCounters before = table.counters();
      for (int i = 0; i < QUERIES; i++) {
        String condition = condition(random, 2);
        String order = ORDERS.get(random.nextInt(ORDERS.size()));
        assertThat(answers("asked", condition, order))
            .as("%s: %s, order by %s", seed, condition, order)
            .isEqualTo(answers("in_memory", condition, order));
      }
      IndexCounters counted = table.counters().since(before);
      assertThat(counted.get(IndexCounter.SCANS_JUMPED)).as(seed).isGreaterThan(QUERIES / 2);
      assertThat(counted.get(IndexCounter.COUNTED_BY_POSTINGS)).as(seed).isPositive();
      assertThat(counted.get(IndexCounter.ORDERED_BY_POSTINGS)).as(seed).isPositive();
    }
  }

  private static IndexDefinition index(String column, ValueType type) {
    return IndexDefinition.on("f", column).as(type).named("by_" + column).eager();
  }

  private static List<Row> fill(FrameTable table, Random random) throws Exception {
    List<Row> rows = new ArrayList<>();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      String key = "r%03d".formatted(i);
      // Every row has a cell, whatever else it lacks.
      Put put =
          new Put(Bytes.toBytes(key)).addColumn(FrameTable.F, Bytes.toBytes("z"), new byte[0]);
      List<Object> values = new ArrayList<>(List.of(key));
      for (String column : List.of("s", "l", "d", "m", "b", "i", "o", "t", "x", "n")) {
        Object value = random.nextInt(4) == 0 ? null : value(column, random);
        values.add(value);
        if (value != null) {
          put.addColumn(FrameTable.F, Bytes.toBytes(column), cell(column, value));
        }
      }
      puts.add(put);
      rows.add(RowFactory.create(values.toArray()));
    }
    table.table().put(puts);
    return rows;
  }

  private static Object value(String column, Random random) {
    if (column.equals("x")) {
      return new byte[] {(byte) random.nextInt(3), (byte) random.nextInt()};
    }
    List<Object> values =
        KINDS.stream()
            .filter(kind -> kind.name().equals(column))
            .findFirst()
            .orElseThrow()
            .values();
    return values.get(random.nextInt(values.size()));
  }

  private static byte[] cell(String column, Object value) {
    return switch (column) {
      case "s" -> Bytes.toBytes((String) value);
      case "l" -> Bytes.toBytes((Long) value);
      case "d" -> Bytes.toBytes((Double) value);
      case "m" -> Bytes.toBytes((BigDecimal) value);
      case "b" -> Bytes.toBytes((Boolean) value);
      case "i" -> encoded(OrderedInt32.ASCENDING, (Integer) value);
      case "o" -> encoded(OrderedFloat64.ASCENDING, (Double) value);
      case "t" -> encoded(OrderedString.ASCENDING, (String) value);
      case "n" -> Bytes.toBytes((Float) value);
      default -> (byte[]) value;
    };
  }

  private static <T> byte[] encoded(DataType<T> type, T value) {
    SimplePositionedMutableByteRange bytes =
        new SimplePositionedMutableByteRange(type.encodedLength(value));
    type.encode(bytes, value);
    return bytes.getBytes();
  }

  /** A condition of SQL, of some depth at most. */
  private static String condition(Random random, int depth) {
    int shape = random.nextInt(depth == 0 ? 6 : 9);
    Kind kind = KINDS.get(random.nextInt(KINDS.size()));
    return switch (shape) {
      case 0, 1 -> "%s %s %s".formatted(kind.name(), sign(random), literal(kind, random));
      case 2 ->
          IntStream.range(0, 1 + random.nextInt(3))
              .mapToObj(i -> literal(kind, random))
              .collect(Collectors.joining(", ", kind.name() + " in (", ")"));
      case 3 -> kind.name() + (random.nextBoolean() ? " is null" : " is not null");
      case 4 -> "%s %s %s".formatted(literal(kind, random), sign(random), kind.name());
      case 5 ->
          List.of(
                  "s like 'a%'",
                  "id >= 'r150'",
                  "id = 'r007'",
                  "id like 'r1%'",
                  "x < X'01FF'",
                  "t like 'a%'",
                  "length(s) = 1",
                  "b",
                  "l <=> 7L",
                  "s in ('a', null)")
              .get(random.nextInt(10));
      case 6 -> "not (%s)".formatted(condition(random, depth - 1));
      case 7 ->
          "(%s) and (%s)".formatted(condition(random, depth - 1), condition(random, depth - 1));
      default ->
          "(%s) or (%s)".formatted(condition(random, depth - 1), condition(random, depth - 1));
    };
  }

  private static String sign(Random random) {
    return List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6));
  }

  private static String literal(Kind kind, Random random) {
    return kind.literals().get(random.nextInt(kind.literals().size()));
  }

  /** Rows, figures and first values, each by a query of its own. */
  private static List<String> answers(String view, String condition, String order) {
    String from = "from %s where %s".formatted(view, condition);
    List<String> answers = new ArrayList<>();
    answers.addAll(sorted("select id, s, l, d, m, b, i, o, t, hex(x), n " + from));
    answers.addAll(
        sorted("select count(*), count(l), min(l), max(m), min(s), max(i), max(o) + 0 " + from));
    String column = order.substring(0, 1);
    boolean floating = column.equals("o") || column.equals("d");
    // Equal values come from any of their rows, and both zeros are equal.
    answers.addAll(
        sorted(
            "select %s from (select %s %s order by %s limit 4)"
                .formatted(floating ? column + " + 0" : column, column, from, order)));
    return answers;
  }

  private static List<String> sorted(String sql) {
    return FrameTable.spark().sql(sql).collectAsList().stream()
        .map(Row::toString)
        .sorted()
        .toList();
  }
}
