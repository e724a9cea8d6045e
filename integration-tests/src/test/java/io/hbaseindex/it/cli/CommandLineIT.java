/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import io.hbaseindex.it.index.SmuggledPosting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every command, its output and its exit code. */
@OnSharedCluster
class CommandLineIT {
  private static final int ROWS = 300;
  private static final int OK = 0;
  private static final int FINDINGS = 1;
  private static final int USAGE = 2;
  private static final int REFUSED = 4;

  private static TestCluster cluster;
  private static Shell shell;
  private static IndexedTable people;
  private static IndexedTable bare;
  private static IndexedTable unique;

  @BeforeAll
  static void load(TestCluster shared) throws IOException {
    cluster = shared;
    shell = new Shell(shared);
    people = table("people");
    bare = table("bare");
    unique = table("unique");
    Shell.Outcome created = shell.run("create", name(people), "by_city", "-c", "f:city");
    assertThat(created.exitCode()).isEqualTo(OK);
    assertThat(created.out())
        .contains("Created index by_city on table " + name(people))
        .contains("are ready in its 3 regions");
  }

  @AfterAll
  static void drop() throws IOException {
    people.close();
    bare.close();
    unique.close();
  }

  @Test
  void create_again_changesNothing_andAnotherOfThatNameIsRefused() {
    Shell.Outcome again = shell.run("create", name(people), "by_city", "-c", "f:city", "--json");
    assertThat(again.exitCode()).isEqualTo(OK);
    assertThat(again.json().get("created").getAsBoolean()).isFalse();
    assertThat(again.json().get("ready").getAsBoolean()).isTrue();

    Shell.Outcome other = shell.run("create", name(people), "by_city", "-c", "f:email");
    assertThat(other.exitCode()).isEqualTo(REFUSED);
    assertThat(other.err())
        .contains("hbase-index create: Cannot create index by_city on table " + name(people))
        .contains("drop that first or choose another name");
  }

  @Test
  void list_asTableAndJson() {
    Shell.Outcome text = shell.run("list", name(people));
    assertThat(text.out().lines())
        .containsExactly(
            "TABLE" + " ".repeat(name(people).length() - 3) + "INDEX    COLUMNS  MODE   ID",
            name(people) + "  by_city  f:city   eager   1");
    JsonArray indexes = shell.run("list", "--json").json().getAsJsonArray("indexes");
    assertThat(indexes)
        .anySatisfy(
            index ->
                assertThat(index.getAsJsonObject().get("table").getAsString())
                    .isEqualTo(name(people)));
  }

  @Test
  void status_regionByRegion() {
    Shell.Outcome text = shell.run("status", name(people));
    assertThat(text.exitCode()).isEqualTo(OK);
    assertThat(text.out()).contains("The index is ready in all 3 regions.");
    JsonObject json = shell.run("status", name(people), "--json", "--wait").json();
    assertThat(json.get("ready").getAsBoolean()).isTrue();
    assertThat(json.getAsJsonArray("regions")).hasSize(3);
    assertThat(shell.run("status").out()).contains(name(people));
  }

  @Test
  void query_rowsCountExistsAndPages() {
    String where = "f:city = 'city 7'";
    Shell.Outcome rows = shell.run("query", name(people), "-w", where, "-s", "f:email", "-n", "2");
    assertThat(rows.out().lines())
        .containsExactly(
            "ROW    COLUMN   VALUE",
            "r0007  f:email  7@example.org",
            "r0017  f:email  17@example.org",
            "2 rows, and more");
    assertThat(shell.run("query", name(people), "-w", where, "--count").out()).isEqualTo("30\n");
    assertThat(shell.run("query", name(people), "-w", where, "--count", "-n", "7").out())
        .isEqualTo("7\n");
    assertThat(shell.run("query", name(people), "-w", where + " limit 8", "--count").out())
        .isEqualTo("8\n");
    assertThat(shell.run("query", name(people), "-w", where, "--exists").exitCode()).isEqualTo(OK);
    assertThat(shell.run("query", name(people), "-w", "f:city = nowhere", "--exists").exitCode())
        .isEqualTo(FINDINGS);

    List<String> keys = new ArrayList<>();
    List<String> args =
        new ArrayList<>(List.of("query", name(people), "-w", where, "-n", "11", "--json"));
    JsonObject page = shell.run(with(args, "--page")).json();
    while (true) {
      page.getAsJsonArray("rows")
          .forEach(row -> keys.add(row.getAsJsonObject().get("row").getAsString()));
      if (page.get("next").isJsonNull()) {
        break;
      }
      page = shell.run(with(args, "--token", page.get("next").getAsString())).json();
    }
    assertThat(keys).hasSize(30).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void query_inTheOrderOfAColumn() {
    String where = "f:city ^= city order by f:city desc limit 3";
    List<String> expected =
        List.of(
            "ROW    COLUMN  VALUE",
            "r0299  f:city  city 9",
            "r0289  f:city  city 9",
            "r0279  f:city  city 9");
    assertThat(shell.run("query", name(people), "-w", where, "-s", "f:city").out().lines())
        .containsExactlyElementsOf(
            Stream.concat(expected.stream(), Stream.of("3 rows, and more")).toList());
    List<String> options =
        List.of("query", name(people), "-w", "f:city ^= city", "-s", "f:city", "-n", "3");
    assertThat(shell.run(with(options, "--order-by", "f:city desc", "--page")).out().lines())
        .startsWith(expected.toArray(String[]::new))
        .anyMatch(line -> line.startsWith("next page: --token "));
    assertThat(shell.run("explain", name(people), "-w", where).out())
        .contains(
            "value order of by_city", "9 rows found in value order by postings, 0 rows compared");
    Shell.Outcome twice = shell.run("query", name(people), "-w", where, "-o", "f:city");
    assertThat(twice.exitCode()).isEqualTo(USAGE);
    assertThat(twice.err()).contains("--order-by and order by in --where exclude each other");
  }

  private static String[] with(List<String> args, String... more) {
    List<String> all = new ArrayList<>(args);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void explain_figuresAreTheServersCounters() throws IOException {
    SmuggledPosting.put(
        cluster,
        people.name(),
        cluster.regions().of(people.name()).get(0),
        "by_city",
        "city 5",
        "r0006",
        PostingState.LIVE);
    IndexAdmin admin = IndexAdmin.of(cluster.connection());
    Map<String, Long> before = admin.states(people.name()).counters();

    JsonObject json =
        shell.run("explain", name(people), "-w", "f:city = 'city 5'", "--all", "--json").json();

    Map<String, Long> after = admin.states(people.name()).counters();
    assertThat(json.get("rows").getAsLong()).isEqualTo(30);
    JsonObject told = json.getAsJsonObject("counters");
    for (String counter :
        List.of(
            "scansJumped",
            "scansPlain",
            "candidates",
            "staleCandidates",
            "postingsRead",
            "rowsRead")) {
      assertThat(told.get(counter).getAsLong())
          .as(counter)
          .isEqualTo(after.get(counter) - before.get(counter));
    }
    assertThat(told.get("scansJumped").getAsLong()).isGreaterThanOrEqualTo(3);
    assertThat(told.get("candidates").getAsLong()).isGreaterThanOrEqualTo(31);
    assertThat(told.get("staleCandidates").getAsLong()).isPositive();
    JsonObject use = json.getAsJsonArray("indexes").get(0).getAsJsonObject();
    assertThat(use.get("index").getAsString()).isEqualTo("by_city");
    assertThat(use.get("usedIn").getAsInt()).isEqualTo(3);
    assertThat(shell.run("repair", name(people)).exitCode()).isEqualTo(OK);
  }

  @Test
  void create_includingColumns_isListedAndExplained() throws IOException {
    try (IndexedTable table = IndexedTable.loaded(cluster, "cli_including", 60)) {
      String name = table.name().getNameAsString();
      assertThat(shell.run("create", name, "n", "-c", "f:email", "--include", "f:city").exitCode())
          .isEqualTo(OK);

      assertThat(shell.run("list", name).out()).contains("f:email including f:city");
      assertThat(shell.run("status", name).out()).contains("Index n includes f:city.");
      JsonObject json =
          shell
              .run("explain", name, "-w", "f:email = 50@example.org", "-s", "f:city", "--json")
              .json();
      assertThat(json.get("rows").getAsInt()).isEqualTo(1);
      assertThat(json.getAsJsonObject("counters").get("rowsFromPostings").getAsInt()).isEqualTo(1);
    }
  }

  @Test
  void create_withRoutesAndWithoutRanges_isListed_andAskedSo() throws IOException {
    try (IndexedTable table = IndexedTable.loaded(cluster, "cli_routes", 60)) {
      String name = name(table);
      String columns = "f:email,f:x,f:city";
      assertThat(shell.run("create", name, "n", "-c", columns, "--no-ranges").exitCode())
          .isEqualTo(OK);
      String set = "f:email+f:city";
      assertThat(shell.run("create", name, "n", "-c", columns, "--route", set).exitCode())
          .isEqualTo(OK);

      assertThat(shell.run("list", name).out())
          .contains("f:email+f:x+f:city [" + set + "], ranges not routed");
      String one = "f:email = 50@example.org and f:city = 'city 0'";
      Waits.until("a route by the set")
          .until(
              () -> shell.run("explain", name, "-w", one).out(),
              explained -> explained.contains("n(" + set + ")"));
      assertThat(shell.run("query", name, "-w", one, "--count").out()).isEqualTo("1\n");
      assertThat(shell.run("query", name, "-w", "f:email >= 5", "--count").out()).isEqualTo("15\n");
    }
  }

  @Test
  void explain_routedQuery_visitsOnlyTheRegionsItSays() throws IOException {
    shell.run("create", name(unique), "by_email", "-c", "f:email");

    // On a busy machine a region may be open for a moment, and is then rightly visited.
    JsonObject one = explainOnce("f:email = 150@example.org", 1);
    assertThat(one.get("rows").getAsInt()).isEqualTo(1);
    assertThat(one.getAsJsonObject("route").get("skipped").getAsInt()).isEqualTo(2);
    assertThat(one.getAsJsonObject("route").get("positive").getAsInt()).isEqualTo(1);

    JsonObject none = explainOnce("f:email = nobody@example.org", 0);
    assertThat(none.get("rows").getAsInt()).isZero();
    assertThat(none.getAsJsonObject("route").get("skipped").getAsInt()).isEqualTo(3);
    assertThat(none.getAsJsonObject("counters").entrySet()).isEmpty();

    assertThat(shell.run("explain", name(unique), "-w", "f:email = 7@example.org").out())
        .contains("regions:")
        .contains("may hold rows by their filter")
        .contains("by_email used in");
  }

  /** Explains a query as soon as its route is precise and so many regions were visited. */
  private static JsonObject explainOnce(String where, int visits) {
    return Waits.until("a precise route of " + where)
        .until(
            () -> shell.run("explain", name(unique), "-w", where, "--json").json(),
            json ->
                json.getAsJsonObject("route").get("precise").getAsBoolean()
                    && json.getAsJsonArray("visits").size() == visits);
  }

  @Test
  void explain_withoutAnIndex_saysWhy() {
    Shell.Outcome other = shell.run("explain", name(people), "-w", "f:email = 1@example.org");
    assertThat(other.exitCode()).isEqualTo(OK);
    assertThat(other.out())
        .contains("the condition says nothing about its first column f:city (3)")
        .contains("plain: noIndex")
        .contains(": create " + name(people) + " by_email -c f:email\n");
    Shell.Outcome none = shell.run("explain", name(bare), "-w", "f:city = 'city 1'");
    assertThat(none.exitCode()).isEqualTo(OK);
    assertThat(none.out())
        .contains("No indexed region was visited.")
        .contains(": create " + name(bare) + " by_city -c f:city\n");
  }

  @Test
  void explain_andThatAnIndexServesInPart_advisesOneOfBothColumns() throws IOException {
    String where = "f:city = 'city 5' and f:email = 5@example.org";
    JsonObject json = shell.run("explain", name(people), "-w", where, "--json").json();
    assertThat(json.getAsJsonObject("counters").get("scansJumped").getAsInt()).isPositive();
    assertThat(json.get("advice").getAsString())
        .isEqualTo("create " + name(people) + " by_city_email -c f:city,f:email");
    assertThat(shell.run("explain", name(people), "-w", "f:city = 'city 5'").out())
        .doesNotContain("advice");
  }

  /** A flush drops overwritten values, and a lazy index is not told; readers get over it. */
  @Test
  void verify_lazyIndexWithStalePostings_isHealthy() throws IOException {
    try (IndexedTable lazy = IndexedTable.loaded(cluster, "lazy", 10)) {
      shell.run("create", name(lazy), "by_city", "-c", "f:city", "--lazy");
      lazy.put("r0003", "3@example.org", "for a moment");
      lazy.put("r0003", "3@example.org", "elsewhere");
      cluster.regions().flush(cluster.regions().of(lazy.name()).get(0));

      Shell.Outcome verified = shell.run("verify", name(lazy));
      assertThat(verified.out())
          .contains("0 postings missing, 0 dangling, 1 stale")
          .contains("Rows and indexes agree.");
      assertThat(verified.exitCode()).isEqualTo(OK);
      assertThat(shell.run("repair", name(lazy), "--json").json().get("repaired").getAsInt())
          .isEqualTo(1);
      assertThat(shell.run("verify", name(lazy)).out()).contains("0 dangling, 0 stale");
    }
  }

  @Test
  void verifyAndRepair_findAndMend() throws IOException {
    assertThat(shell.run("verify", name(people)).out()).contains("Rows and indexes agree.");
    SmuggledPosting.put(
        cluster,
        people.name(),
        cluster.regions().of(people.name()).get(1),
        "by_city",
        "city 3",
        "r0103",
        PostingState.DEAD);

    Shell.Outcome verified = shell.run("verify", name(people));
    assertThat(verified.exitCode()).isEqualTo(FINDINGS);
    assertThat(verified.out())
        .contains("1 posting missing, 0 dangling, 0 stale")
        .contains("missing  by_city  r0103");
    Shell.Outcome repaired = shell.run("repair", name(people), "--json");
    assertThat(repaired.exitCode()).isEqualTo(OK);
    assertThat(repaired.json().get("repaired").getAsInt()).isEqualTo(1);
    assertThat(shell.run("verify", name(people)).exitCode()).isEqualTo(OK);
  }

  @Test
  void rebuild_endsReady() throws IOException {
    try (IndexedTable rebuilt = table("rebuilt")) {
      shell.run("create", name(rebuilt), "by_city", "-c", "f:city");
      Shell.Outcome outcome = shell.run("rebuild", name(rebuilt), "--json");
      assertThat(outcome.exitCode()).isEqualTo(OK);
      assertThat(outcome.json().get("ready").getAsBoolean()).isTrue();
    }
  }

  @Test
  void tableWithoutIndex_worksAndSaysSo() {
    assertThat(shell.run("list", name(bare)).out()).contains("has no index");
    assertThat(shell.run("status", name(bare)).out()).contains("has no index");
    assertThat(shell.run("verify", name(bare)).out()).contains("nothing to compare");
    assertThat(shell.run("rebuild", name(bare)).out()).contains("nothing to rebuild");
    Shell.Outcome query = shell.run("query", name(bare), "-w", "f:city = 'city 1'", "--count");
    assertThat(query.out()).isEqualTo("30\n");
    assertThat(query.err()).contains("has no index; the query reads all of it");
  }

  /** Without the master's observer nothing keeps such an attribute out. */
  @Test
  void malformedAttributeOfOneTable_hidesNoOther_andItsRowsAreFound() throws IOException {
    try (IndexedTable broken = IndexedTable.loaded(cluster, "broken", 10)) {
      shell.run("create", name(broken), "by_city", "-c", "f:city");
      cluster
          .admin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(cluster.admin().getDescriptor(broken.name()))
                  .setValue("hbaseindex.index.by_email", "nonsense")
                  .build());

      for (String command : List.of("list", "status")) {
        Shell.Outcome all = shell.run(command);
        assertThat(all.exitCode()).isEqualTo(FINDINGS);
        assertThat(all.out())
            .contains(name(people))
            .contains("Table " + name(broken) + ": Cannot read table attribute")
            .contains("hbaseindex.index.by_email");
        assertThat(shell.run(command, "--json").json().getAsJsonArray("unreadable")).hasSize(1);
      }
      Shell.Outcome query = shell.run("query", name(broken), "-w", "f:city = 'city 1'", "--count");
      assertThat(query.exitCode()).isEqualTo(OK);
      assertThat(query.out()).isEqualTo("1\n");
      assertThat(query.err()).contains("Cannot read table attribute");
      assertThat(shell.run("explain", name(broken), "-w", "f:city = 'city 1'").exitCode())
          .isEqualTo(OK);
    }
  }

  @Test
  void query_saysThatThereAreMoreRowsThanItShows() {
    Shell.Outcome rows = shell.run("query", name(people), "-w", "f:city >= 'city 0'");
    assertThat(rows.out()).endsWith("\n100 rows, and more\n");
    assertThat(rows.err()).contains("There are more rows than 100");

    JsonObject limited =
        shell.run("query", name(people), "-w", "f:city >= ''", "-n", "299", "--json").json();
    assertThat(limited.getAsJsonArray("rows")).hasSize(299);
    assertThat(limited.get("more").getAsBoolean()).isTrue();
    JsonObject all =
        shell.run("query", name(people), "-w", "f:city >= ''", "-n", "300", "--json").json();
    assertThat(all.getAsJsonArray("rows")).hasSize(300);
    assertThat(all.get("more").getAsBoolean()).isFalse();
  }

  @Test
  void query_showsTextInUtf8_numbersByType_andTimestamps() throws IOException {
    try (IndexedTable typed = IndexedTable.loaded(cluster, "typed", 1)) {
      typed
          .table()
          .put(
              new Put(Bytes.toBytes("größe"))
                  .addColumn(IndexedTable.FAMILY, IndexedTable.CITY, 42, Bytes.toBytes("Köflach"))
                  .addColumn(IndexedTable.FAMILY, Bytes.toBytes("age"), 42, Bytes.toBytes(77L)));
      assertThat(shell.run(query(typed, "--as", "f:age=long", "--timestamps")).out().lines())
          .containsExactly(
              "ROW    COLUMN  TIMESTAMP  VALUE",
              "größe  f:age          42  77",
              "größe  f:city         42  Köflach",
              "1 row");
      JsonObject row =
          shell
              .run(query(typed, "--as", "f:age=long", "--json"))
              .json()
              .getAsJsonArray("rows")
              .get(0)
              .getAsJsonObject();
      assertThat(row.getAsJsonObject("columns").get("f:age").getAsLong()).isEqualTo(77);
    }
  }

  @Test
  void shell_runsCommandsOverOneConnection() {
    InputStream before = System.in;
    String script =
        "list %1$s\nquery %1$s --count where f:city = 'city 7' and row < r0100\n"
            .formatted(name(people));
    System.setIn(new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)));
    try {
      Shell.Outcome outcome = shell.run("shell");
      assertThat(outcome.exitCode()).isEqualTo(OK);
      assertThat(outcome.out()).contains("by_city").endsWith("\n10\n");
    } finally {
      System.setIn(before);
    }
  }

  private static String[] query(IndexedTable table, String... options) {
    return with(List.of("query", name(table), "-w", "f:city = Köflach"), options);
  }

  @Test
  void unknownThings_areRefused() {
    assertRefused("The cluster has no table nowhere", "status", "nowhere");
    assertRefused("The cluster has no table nowhere", "create", "nowhere", "i", "-c", "f:a");
    assertRefused("The cluster has no table nowhere", "query", "nowhere", "-w", "f:a = b");
    assertRefused("has no index by_name, only by_city", "drop", name(people), "by_name");
    assertRefused("has no family x", "create", name(people), "by_x", "-c", "x:a");
    assertRefused("its families are f", "query", name(people), "-w", "x:a = b");
    assertRefused("its families are f", "query", name(people), "-w", "f:a = b", "-s", "x:a");
    assertThat(shell.run("drop", name(people), "by_name", "--if-exists").exitCode()).isEqualTo(OK);
    Shell.Outcome token = shell.run("query", name(people), "-w", "f:a = b", "--token", "nonsense");
    assertThat(token.exitCode()).isEqualTo(USAGE);
    assertThat(token.err()).contains("it is damaged or none of ours");
  }

  @Test
  void drop_dropsAndTheTableStaysAsItIs() {
    shell.run("create", name(bare), "by_email", "-c", "f:email", "--lazy", "--no-publish");
    assertThat(shell.run("drop", name(bare), "by_email").out())
        .isEqualTo("Dropped index by_email of table " + name(bare) + ".\n");
    assertThat(shell.run("list", name(bare)).out()).contains("has no index");
  }

  private static void assertRefused(String message, String... args) {
    Shell.Outcome outcome = shell.run(args);
    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(REFUSED);
    assertThat(outcome.err()).contains(message).doesNotContain("\tat ");
  }

  private static String name(IndexedTable table) {
    return table.name().getNameAsString();
  }

  private static IndexedTable table(String hint) throws IOException {
    return IndexedTable.loaded(cluster, hint, ROWS, "r0100", "r0200");
  }
}
