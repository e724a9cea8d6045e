/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexedTable;
import java.io.IOException;
import java.math.BigDecimal;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The command line knows what columns hold where an index has declared it. */
@OnSharedCluster
class TypedCommandsIT {
  private static final int OK = 0;
  private static final int USAGE = 2;
  private static final long[] AGES = {-300, -1, 9, 18, 30, 300};

  private static Shell shell;
  private static IndexedTable items;

  @BeforeAll
  static void load(TestCluster cluster) throws IOException {
    shell = new Shell(cluster);
    items = IndexedTable.loaded(cluster, "typed_items", 1);
    for (int i = 0; i < AGES.length; i++) {
      Put put = new Put(Bytes.toBytes("item" + i));
      put.addColumn(IndexedTable.FAMILY, Bytes.toBytes("age"), Bytes.toBytes(AGES[i]));
      BigDecimal price = BigDecimal.valueOf(AGES[i], i % 3);
      put.addColumn(IndexedTable.FAMILY, Bytes.toBytes("price"), Bytes.toBytes(price));
      items.table().put(put);
    }
    Put other = new Put(Bytes.toBytes("other"));
    other.addColumn(IndexedTable.FAMILY, Bytes.toBytes("age"), Bytes.toBytes("old"));
    items.table().put(other);
    create("by_age", "-c", "f:age", "--type", "f:age=long", "--include", "f:price");
    create("by_price", "-c", "f:price,f:age", "-t", "f:price=decimal,f:age=long");
  }

  private static void create(String index, String... options) {
    String[] args = new String[options.length + 3];
    args[0] = "create";
    args[1] = name();
    args[2] = index;
    System.arraycopy(options, 0, args, 3, options.length);
    assertThat(shell.run(args).exitCode()).isEqualTo(OK);
  }

  @AfterAll
  static void drop() throws IOException {
    items.close();
  }

  @Test
  void query_readsAndShowsValuesByTheirType() {
    Shell.Outcome rows = shell.run("query", name(), "-w", "f:age between -5 and 30");
    assertThat(rows.out().lines())
        .containsExactly(
            "ROW    COLUMN   VALUE",
            "item1  f:age       -1",
            "item1  f:price   -0.1",
            "item2  f:age        9",
            "item2  f:price   0.09",
            "item3  f:age       18",
            "item3  f:price     18",
            "item4  f:age       30",
            "item4  f:price    3.0",
            "4 rows");
    assertThat(shell.run("query", name(), "-w", "f:price >= 3", "--count").out()).isEqualTo("3\n");
    assertThat(shell.run("query", name(), "-w", "f:price = 3.000", "--count").out())
        .as("3.0 and 3.00")
        .isEqualTo("2\n");
    assertThat(shell.run("query", name(), "-w", "f:age = text:old").out()).contains("old");
    assertThat(shell.run("query", name(), "-w", "f:age is not null", "--count").out())
        .isEqualTo("7\n");
    JsonObject json = shell.run("query", name(), "-w", "f:age = 18", "--json").json();
    JsonObject columns =
        json.getAsJsonArray("rows").get(0).getAsJsonObject().getAsJsonObject("columns");
    assertThat(columns.get("f:age").getAsLong()).isEqualTo(18);
    assertThat(columns.get("f:price").getAsBigDecimal()).isEqualTo(new BigDecimal("18"));
  }

  @Test
  void explain_showsNumbers_andUsesTheIndex() {
    Shell.Outcome outcome = shell.run("explain", name(), "-w", "f:price < -0.05");
    assertThat(outcome.out())
        .contains("where f:price < -0.05")
        .contains("index:    by_price used in 1 region; sweep");
    assertThat(shell.run("explain", name(), "-w", "f:age >= 18").out())
        .contains("(f:age >= 18 and f:age <= 9223372036854775807)");
  }

  @Test
  void valueThatIsNoneOfTheType_isRefused() {
    Shell.Outcome outcome = shell.run("query", name(), "-w", "f:age > much");
    assertThat(outcome.exitCode()).isEqualTo(USAGE);
    assertThat(outcome.err()).contains("value \"much\" at character 9 is no long");
    Shell.Outcome type = shell.run("create", name(), "n", "-c", "f:a", "--type", "f:a=number");
    assertThat(type.exitCode()).isEqualTo(USAGE);
    assertThat(type.err()).contains("type was \"number\"; known types are bytes, string");
    assertThat(shell.run("create", name(), "n", "-c", "f:a", "--type", "f:b=long").err())
        .contains("f:b has a type and is no column of the index");
  }

  @Test
  void create_where_readsValuesByTheTypeOfTheColumn() {
    create(
        "adults",
        "-c",
        "f:price,f:age",
        "-t",
        "f:price=decimal,f:age=long",
        "--where",
        "f:age >= 18 and f:price is not null");
    try {
      assertThat(shell.run("list", name()).out())
          .containsPattern(
              "adults +f:price \\(decimal\\)\\+f:age \\(long\\) where f:age>=.*x12 f:age<=.x7F.*xFF f:price");
      assertThat(shell.run("status", name()).out())
          .contains("Index adults has only rows with f:age>=");
      String query = "f:price = 3 and f:age >= 18";
      assertThat(shell.run("explain", name(), "-w", query).out()).contains("adults used in 1");
      assertThat(shell.run("query", name(), "-w", query, "--count").out()).isEqualTo("2\n");
      assertThat(shell.run("explain", name(), "-w", "f:price > 0").out())
          .contains("adults used in 0 regions; it has only rows with f:age>=");
    } finally {
      assertThat(shell.run("drop", name(), "adults").exitCode()).isEqualTo(OK);
    }
  }

  @Test
  void create_whereThatNoIndexCanHave_isRefused() {
    Shell.Outcome not = shell.run("create", name(), "n", "-c", "f:a", "--where", "f:b != x");
    assertThat(not.exitCode()).isEqualTo(USAGE);
    assertThat(not.err()).contains("Cannot make f:b != x the condition of an index: queries that");
    assertThat(shell.run("create", name(), "n", "-c", "f:a", "-w", "f:b = x and row > 5").err())
        .contains("--where has keys of rows, an order or a limit; give conditions on columns only");
    assertThat(shell.run("create", name(), "n", "-c", "f:a", "-w", "f:b =").err())
        .contains("expected a value, found the end");
  }

  @Test
  void values_areInTheOrderOfNumbers() {
    assertThat(shell.run("values", name(), "f:age").out().lines())
        .containsExactly(
            "VALUE  ROWS",
            "-300      1",
            "-1        1",
            "9         1",
            "18        1",
            "30        1",
            "300       1",
            "old       1",
            "7 values");
  }

  @Test
  void listAndStatus_nameTheTypes() {
    assertThat(shell.run("list", name()).out())
        .contains("f:age (long) including f:price")
        .contains("f:price (decimal)+f:age (long)");
    assertThat(shell.run("status", name()).out())
        .contains("Index by_price has columns of type decimal+long.");
    assertThat(shell.run("list", name(), "--json").out()).contains("\"types\"");
  }

  private static String name() {
    return items.name().getNameAsString();
  }
}
