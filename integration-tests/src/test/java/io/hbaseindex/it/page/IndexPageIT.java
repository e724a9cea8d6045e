/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.RoutedReads;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.page.PageClient.Page;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** The page tells over HTTP what the servers themselves tell. */
@OnSharedCluster
class IndexPageIT {
  private static final long ROUTE_TIMEOUT_MILLIS = 10_000;
  private static final int ROWS_TO_BUILD = 2_000;

  private static final Pattern BUILDING =
      Pattern.compile("building in \\d regions?: ([0-9,]+) of about [0-9,]+ rows, [0-9.]+ %");

  @Test
  void strip_showsEachRegionAsItsFilterStands(TestCluster cluster) throws Exception {
    PageClient client = new PageClient(cluster);
    try (PageTable table = PageTable.create(cluster, "email")) {
      List<RegionInfo> regions = table.regions();
      Page page = awaitCells(client, table, "precise", regions.size());

      List<RegionFilterState> states =
          IndexAdmin.of(cluster.connection()).routing(table.name()).regions();
      List<String> cells = page.cells("precise");
      for (int i = 0; i < regions.size(); i++) {
        assertThat(cells.get(i))
            .contains(regions.get(i).getEncodedName())
            .contains(cluster.regions().serverOf(regions.get(i)).toString())
            .contains("filter of %.1f KiB".formatted(states.get(i).size().bytes() / 1024.0));
      }
      assertThat(page.text()).contains("by_email", "f:email", "6 of 6 regions");
      assertThat(page.text())
          .contains(
              "by_town",
              "f:town + f:street + f:age (long) where f:status=open|new",
              "f:name",
              "f:town+f:age");
      assertThat(page.text()).contains(cluster.mini().getMaster().getServerName().toString());

      cluster.admin().disableTable(table.name());
      awaitCells(client, table, "silent", regions.size());
    }
  }

  @Test
  void build_isShownWithTheRowsThatItHasGoneThrough(TestCluster cluster) throws Exception {
    PageClient client = new PageClient(cluster);
    cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "50");
    try (PageTable table = PageTable.create(cluster, "email")) {
      List<Put> rows = new ArrayList<>();
      for (int i = 0; i < ROWS_TO_BUILD; i++) {
        rows.add(table.row("a%05d".formatted(i), i + "@example.org"));
      }
      table.table().put(rows);
      IndexAdmin.of(cluster.connection())
          .create(table.name(), IndexDefinition.on("f", "nick").named("by_nick").eager());

      Page page =
          Waits.until("rows of a build are shown")
              .until(
                  () -> client.table(table.text()), shown -> BUILDING.matcher(shown.text()).find());

      Matcher building = BUILDING.matcher(page.text());
      assertThat(building.find()).isTrue();
      assertThat(Long.parseLong(building.group(1).replace(",", ""))).isPositive();
      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, "0");
      Waits.until("nothing is building any more")
          .until(() -> client.table(table.text()), shown -> !shown.text().contains("building in"));
    } finally {
      cluster.servers().configure(BackgroundWork.ROWS_PER_SECOND, null);
    }
  }

  private static Page awaitCells(PageClient client, PageTable table, String css, int count) {
    return Waits.until(count + " cells are " + css)
        .until(() -> client.table(table.text()), page -> page.cells(css).size() == count);
  }

  @Test
  void explain_lightsTheRegionThatTheScanAsks(TestCluster cluster) throws Exception {
    PageClient client = new PageClient(cluster);
    try (PageTable table = PageTable.create(cluster, "email");
        RoutedReads reads = new RoutedReads(cluster, table.name(), ROUTE_TIMEOUT_MILLIS)) {
      Page page =
          Waits.until("all but one region are skipped, and that one matches")
              .until(
                  () -> client.explain(table.text(), "f:email = 'k@example.org'"),
                  shown ->
                      shown.cells("skipped").size() == 5 && shown.cells("matched").size() == 1);

      assertThat(page.cells("unfiltered")).isEmpty();
      assertThat(page.text()).contains("5 of 6 regions are skipped; 1 would be asked.");
      List<Integer> asked = new ArrayList<>();
      Waits.until("the scan is routed precisely")
          .until(
              () -> {
                List<Long> before = table.readsPerRegion();
                assertThat(TestTable.rowsOf(reads.scan(TestTable.where("email", "k@example.org"))))
                    .containsExactly("k");
                List<Long> after = table.readsPerRegion();
                asked.clear();
                for (int i = 0; i < before.size(); i++) {
                  if (after.get(i) > before.get(i)) {
                    asked.add(i);
                  }
                }
                return asked.size() == 1;
              });
      assertThat(page.cells("matched").get(0))
          .contains(table.regions().get(asked.get(0)).getEncodedName());
    }
  }

  @Test
  void explain_ofWhatNoFilterKnows_saysSo(TestCluster cluster) throws Exception {
    PageClient client = new PageClient(cluster);
    try (PageTable table = PageTable.create(cluster, "email")) {
      assertThat(client.explain(table.text(), "f:other = 'x'").text())
          .contains("All regions would be asked: no index fixes a value of it.");
      assertThat(client.explain(table.text(), "f:email < x").text())
          .contains("Cannot read the condition: expected \"=\" or \"in\"");
      assertThat(client.explain("no_such_table", "f:email = x").text())
          .contains("Cannot explain: there is no table of that name with an index.");
      assertThat(client.explain(table.text(), "f:email in (x, y) or f:email = z").text())
          .contains("6 of 6 regions are skipped; 0 would be asked.");
    }
  }

  @Test
  void hostileNamesAndValues_stayText(TestCluster cluster) throws Exception {
    PageClient client = new PageClient(cluster);
    String hostile = "\"><script>alert('x')</script><img src=x onerror=alert(1)>";
    try (PageTable table = PageTable.create(cluster, hostile)) {
      String where = "f:email = '" + hostile.replace("'", "''") + "'";
      for (Page page : List.of(client.table(table.text()), client.explain(table.text(), where))) {
        assertThat(page.elements("script")).hasSize(1);
        assertThat(page.elements("img")).isEmpty();
        assertThat(page.text()).contains("<script>alert('x')</script>");
      }
      assertThat(client.explain(hostile, hostile).elements("input"))
          .extracting(input -> input.getAttribute("value"))
          .containsExactly(hostile, hostile);
    }
  }

  @Test
  void page_isReadOnly_ownFilesOnly_andSaysSoToTheBrowser(TestCluster cluster) throws Exception {
    PageClient client = new PageClient(cluster);
    HttpResponse<String> page = client.get("");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
    assertThat(page.headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
    assertThat(client.get("/page.css").body()).contains("prefers-color-scheme: dark");
    assertThat(client.get("/page.js").body()).contains("\"use strict\"");
    assertThat(client.get("/../master-status").statusCode()).isNotEqualTo(500);
    assertThat(client.get("/IndexPageServlet.class").statusCode()).isEqualTo(404);
    assertThat(client.post("").statusCode()).isEqualTo(405);
  }

  @Test
  void history_comesFromTheMastersOwnCounts(TestCluster cluster) throws Exception {
    PageClient client = new PageClient(cluster);
    Page page =
        Waits.until("two samples are there")
            .until(
                () -> client.page(""),
                shown ->
                    shown.elements("polyline").stream()
                        .anyMatch(line -> line.getAttribute("points").contains(",")));

    assertThat(page.elements("strong")).extracting(Element::getTextContent).hasSize(5);
    assertThat(page.text()).contains("pushes per second", "trusts filters");
  }
}
