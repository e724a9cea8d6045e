/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page as a person sees it, in a real browser; skipped where none is installed. */
@OnSharedCluster
class BrowserPageIT {
  private static final Path PICTURES = Path.of("target", "page");

  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start().orElse(null);
    if (browser == null) {
      String line =
          "BrowserPageIT skipped: no Chromium with chromedriver was found; install the packages"
              + " chromium and chromium-driver";
      System.out.println(line);
      Assumptions.abort(line);
    }
    Files.createDirectories(PICTURES);
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  /** A style or script that the page's own policy forbids is a complaint, too. */
  @AfterEach
  void nothingIsComplainedAbout() throws Exception {
    browser.runScripts(true);
    browser.prefer("light");
    assertThat(browser.complaints()).isEmpty();
  }

  private static void takePicture(String name) throws Exception {
    Files.write(PICTURES.resolve(name + ".png"), browser.picture());
  }

  private static URI tablePage(TestCluster cluster, PageTable table) {
    return new PageClient(cluster).address("?table=" + table.name());
  }

  private static void awaitCells(String css, int count) {
    Waits.until(count + " cells are " + css)
        .until(() -> browser.count(".strip rect." + css) == count);
  }

  private static void openWhenPrecise(TestCluster cluster, PageTable table) {
    Waits.until("all cells are precise")
        .until(
            () -> {
              browser.open(tablePage(cluster, table));
              return browser.count(".strip rect.precise") == 6;
            });
  }

  @Test
  void strip_isColoured_andTellsOfTheRegionThatIsPointedAt(TestCluster cluster) throws Exception {
    try (PageTable table = PageTable.create(cluster, "email")) {
      openWhenPrecise(cluster, table);
      assertThat(browser.style(".strip rect.precise", "fill")).isEqualTo("rgb(42, 157, 124)");
      RegionInfo third = table.regions().get(2);

      browser.pointAt(".strip rect:nth-of-type(3)");

      assertThat(browser.text("#tip"))
          .contains(third.getEncodedName(), cluster.regions().serverOf(third).toString());
      assertThat(browser.style("#tip", "display")).isEqualTo("block");
      takePicture("table");
    }
  }

  @Test
  void form_lightsTheRegionsThatAreAsked(TestCluster cluster) throws Exception {
    try (PageTable table = PageTable.create(cluster, "email")) {
      openWhenPrecise(cluster, table);

      browser.type("input[name=table]", table.text());
      browser.type("input[name=where]", "f:email = 'k@example.org'");
      browser.click("button");

      Waits.until("the answer is shown").until(() -> browser.count("#answer") == 1);
      assertThat(browser.text("#answer"))
          .isEqualTo("5 of 6 regions are skipped; 1 would be asked.");
      assertThat(browser.count("#explain rect.matched")).isEqualTo(1);
      assertThat(browser.count("#explain rect.skipped")).isEqualTo(5);
      assertThat(browser.style("#explain rect.matched", "fill"))
          .isNotEqualTo(browser.style("#explain rect.skipped", "fill"));
      takePicture("explain");
    }
  }

  @Test
  void page_keepsItselfUpToDate(TestCluster cluster) throws Exception {
    try (PageTable table = PageTable.create(cluster, "email")) {
      openWhenPrecise(cluster, table);
      browser.script("document.body.dataset.same = 'page'");

      cluster.admin().disableTable(table.name());

      awaitCells("silent", 6);
      assertThat(browser.script("return document.body.dataset.same").getAsString())
          .isEqualTo("page");
    }
  }

  @Test
  void page_isWholeWithoutScripts(TestCluster cluster) throws Exception {
    try (PageTable table = PageTable.create(cluster, "email")) {
      browser.runScripts(false);
      openWhenPrecise(cluster, table);

      assertThat(browser.count("#tip")).isZero();
      assertThat(browser.text(".strip rect title"))
          .contains(table.regions().get(0).getEncodedName());
      assertThat(browser.count("#holders td")).as("columns of one holder").isEqualTo(8);
    }
  }

  @Test
  void page_isDarkForThoseWhoPreferIt(TestCluster cluster) throws Exception {
    try (PageTable table = PageTable.create(cluster, "email")) {
      openWhenPrecise(cluster, table);
      String light = browser.style("body", "backgroundColor");

      browser.prefer("dark");

      assertThat(browser.style("body", "backgroundColor")).isNotEqualTo(light);
      takePicture("dark");
    }
  }

  /** A script that ran would open a dialog, and the next command to the browser would fail. */
  @Test
  void hostileNamesAndValues_stayText(TestCluster cluster) throws Exception {
    String hostile = "\"><script>alert('x')</script><img src=x onerror=alert(1)>";
    try (PageTable table = PageTable.create(cluster, hostile)) {
      openWhenPrecise(cluster, table);
      for (String where : List.of(hostile, "f:a = '" + hostile.replace("'", "''") + "'")) {
        browser.type("input[name=where]", where);
        browser.click("button");

        Waits.until("the answer is shown").until(() -> browser.count("#answer") == 1);
        assertThat(browser.count("img")).isZero();
        assertThat(browser.count("script")).isEqualTo(1);
        assertThat(browser.script("return document.querySelector('input[name=where]').value"))
            .extracting(value -> value.getAsString())
            .isEqualTo(where);
      }
      assertThat(browser.text("td.code")).contains("<script>alert(");
    }
  }
}
