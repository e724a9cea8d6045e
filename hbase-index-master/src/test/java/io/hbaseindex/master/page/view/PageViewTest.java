/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.master.page.model.Building;
import io.hbaseindex.master.page.model.Explained;
import io.hbaseindex.master.page.model.HistorySample;
import io.hbaseindex.master.page.model.HolderSight;
import io.hbaseindex.master.page.model.IndexSight;
import io.hbaseindex.master.page.model.PageModel;
import io.hbaseindex.master.page.model.PageQuestion;
import io.hbaseindex.master.page.model.RegionSight;
import io.hbaseindex.master.page.model.TableSight;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class PageViewTest {
  private static final String HOSTILE =
      "</title></svg><script>alert('x')</script>\"'&<img src=x onerror=alert(1)>\u202Eevil\u0000";

  private static final HistorySample NOW =
      new HistorySample(25_000, 700, 300, 800, 300, 3, Map.of(OpenReason.SLOW_MASTER, 1L));

  private static PageQuestion asking(String table, String where) {
    return new PageQuestion(
        Optional.of(table).filter(name -> !name.isEmpty()), "", where, Optional.empty());
  }

  private static RegionSight region(int number, OpenReason open) {
    byte[] start = number == 0 ? new byte[0] : ByteBuffer.allocate(4).putInt(number).array();
    return new RegionSight(
        "region" + number,
        new RowRange(start, ByteBuffer.allocate(4).putInt(number + 1).array()),
        "server,16020,1",
        open,
        2048,
        0.001,
        open == OpenReason.NOT_READY ? Building.inOneRegion(4_500, 6_000) : Building.NOTHING);
  }

  private static TableSight table(String name, List<RegionSight> regions) {
    return new TableSight(
        name,
        List.of(
            new IndexSight(
                "by_city",
                "f:city + f:age (long)",
                "f:name",
                "f:city",
                "eager",
                regions.size(),
                Building.NOTHING)),
        regions,
        regions.size(),
        "");
  }

  private static PageModel page(PageQuestion question, List<TableSight> tables) {
    return page(question, tables, List.of(), Optional.empty());
  }

  private static PageModel page(
      PageQuestion question,
      List<TableSight> tables,
      List<HistorySample> history,
      Optional<Explained> explained) {
    return new PageModel(
        question,
        List.of(holder("master", "master,16000,1")),
        NOW,
        history,
        tables,
        tables.size(),
        Optional.empty(),
        explained);
  }

  private static HolderSight holder(String name, String server) {
    return new HolderSight(
        name, server, 0, true, 2000, new HolderSight.Filters(12, 11, 34_567, 1 << 20, 1 << 30));
  }

  private static ShownPage shown(PageModel page) throws Exception {
    return new ShownPage(PageView.render(page));
  }

  // ---- what it shows ----

  @Test
  void strip_hasACellPerRegion_inTheColourOfItsState() throws Exception {
    ShownPage page =
        shown(
            page(
                asking("", ""),
                List.of(
                    table(
                        "people",
                        List.of(
                            region(0, null),
                            region(1, OpenReason.NOT_READY),
                            region(2, OpenReason.SLOW_MASTER),
                            region(3, OpenReason.ABSENT),
                            region(4, null))))));

    assertThat(page.cells("precise")).hasSize(2);
    assertThat(page.cells("building")).hasSize(1);
    assertThat(page.cells("open")).hasSize(1);
    assertThat(page.cells("silent")).hasSize(1);
    assertThat(page.cells("open").get(0).getTextContent())
        .contains("region2", "server,16020,1", "slow master", "did not confirm a write");
    assertThat(page.cells("precise").get(0).getTextContent())
        .contains("region0", "the first key", "2.0 KiB");
  }

  @Test
  void index_isShownWithItsTypes_itsIncludedColumns_andItsRoutes() throws Exception {
    ShownPage page =
        shown(page(asking("", ""), List.of(table("people", List.of(region(0, null))))));

    assertThat(page.elements("td"))
        .extracting(Element::getTextContent)
        .contains("f:city + f:age (long)", "f:name", "f:city", "eager", "1 of 1 regions");
  }

  @Test
  void build_isShownWithItsRows_ofTheIndexAndOfTheRegion() throws Exception {
    Building half = Building.inOneRegion(1_500, 6_000).and(Building.inOneRegion(4_500, 6_000));
    TableSight table =
        new TableSight(
            "people",
            List.of(new IndexSight("by_city", "f:city", "", "", "eager", 1, half)),
            List.of(
                region(0, null), region(1, OpenReason.NOT_READY), region(2, OpenReason.NOT_READY)),
            3,
            "");
    ShownPage page = shown(page(asking("people", ""), List.of(table)));

    assertThat(page.text())
        .contains("1 of 3 regions")
        .contains("building in 2 regions: 6,000 of about 12,000 rows, 50.0 %");
    assertThat(page.elements("svg"))
        .extracting(bar -> bar.getAttribute("aria-label"))
        .as("one region, and half of two")
        .contains("66.7 %");
    assertThat(page.cells("building").get(0).getTextContent())
        .endsWith("\nbuilding: 4,500 of about 6,000 rows, 75.0 %");
  }

  @Test
  void build_ofUnknownLength_isShownWithoutAShare() {
    Building one = Building.inOneRegion(1_500, 0);

    assertThat(one.and(Building.inOneRegion(10, 20))).isEqualTo(new Building(2, 1_510, 0));
    assertThat(one.and(Building.NOTHING)).isEqualTo(one);
    assertThat(Building.NOTHING.and(one).share()).isZero();
  }

  @Test
  void oneTable_listsTheRegionsThatAreOpen() throws Exception {
    List<RegionSight> regions =
        List.of(region(0, null), region(1, OpenReason.OVER_BUDGET), region(2, null));
    ShownPage all = shown(page(asking("", ""), List.of(table("people", regions))));
    ShownPage one = shown(page(asking("people", ""), List.of(table("people", regions))));

    assertThat(all.elements("td")).extracting(Element::getTextContent).doesNotContain("region1");
    assertThat(one.elements("td"))
        .extracting(Element::getTextContent)
        .contains("region1", "over budget: the memory for filters is used up")
        .doesNotContain("region0", "region2");
  }

  @Test
  void explanation_lightsWhatIsAsked() throws Exception {
    Explained explained =
        new Explained(
            List.of(
                new Explained.Region(region(0, null), Explained.Asked.SKIPPED, null),
                new Explained.Region(region(1, null), Explained.Asked.MATCHED, null),
                new Explained.Region(
                    region(2, OpenReason.LAPSED), Explained.Asked.UNFILTERED, OpenReason.LAPSED)),
            1,
            1,
            1,
            List.of("by_place(f:country)", "by_email(f:email)"),
            "");
    ShownPage page =
        shown(
            page(asking("people", "f:email = 'x'"), List.of(), List.of(), Optional.of(explained)));

    assertThat(page.cells("skipped")).hasSize(1);
    assertThat(page.cells("matched")).hasSize(1);
    assertThat(page.cells("unfiltered")).hasSize(1);
    assertThat(page.text())
        .contains("1 of 3 regions are skipped; 2 would be asked.")
        .contains("Filters are asked by by_place(f:country) and by_email(f:email)");
    assertThat(page.elements("li")).hasSize(2);
    assertThat(page.elements("input").get(1).getAttribute("value")).isEqualTo("f:email = 'x'");
  }

  @Test
  void history_givesRatesOfTheLastStep_andReasonsThatWereSeen() throws Exception {
    List<HistorySample> history =
        List.of(
            new HistorySample(0, 0, 0, 0, 0, 0, Map.of(OpenReason.YOUNG_MASTER, 4L)),
            new HistorySample(10_000, 100, 20, 0, 40, 4, Map.of()),
            new HistorySample(20_000, 600, 270, 750, 290, 3, Map.of(OpenReason.SLOW_MASTER, 1L)));
    ShownPage page = shown(page(asking("", ""), List.of(), history, Optional.empty()));

    assertThat(page.elements("strong"))
        .extracting(Element::getTextContent)
        .containsExactly("3 of 4", "1.0 MiB", "50", "25", "75.0 %");
    assertThat(page.elements("polygon"))
        .extracting(polygon -> polygon.getAttribute("class"))
        .containsExactly("reason-slow-master", "reason-young-master");
    assertThat(page.text()).contains("slow master 1", "young master 0");
  }

  @Test
  void everyReason_hasWordsAndAColour() throws Exception {
    String css =
        new String(
            PageView.class
                .getResourceAsStream("/io/hbaseindex/master/page/page.css")
                .readAllBytes(),
            StandardCharsets.UTF_8);
    for (OpenReason reason : OpenReason.values()) {
      assertThat(Wording.meaning(reason)).isNotBlank();
      assertThat(css).containsPattern("\\." + HistoryView.css(reason) + "[ ,]");
    }
  }

  @Test
  void nothingIndexed_saysSo() throws Exception {
    assertThat(shown(page(asking("", ""), List.of())).text()).contains("No table has an index.");
  }

  // ---- what it must not do ----

  @Test
  void hostileNames_stayText() throws Exception {
    TableSight hostile =
        new TableSight(
            HOSTILE,
            List.of(
                new IndexSight(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0, Building.NOTHING)),
            List.of(
                new RegionSight(
                    HOSTILE,
                    new RowRange(HOSTILE.getBytes(StandardCharsets.UTF_8), new byte[0]),
                    HOSTILE,
                    OpenReason.LOST,
                    0,
                    0,
                    Building.NOTHING)),
            1,
            HOSTILE);
    Explained explained =
        new Explained(
            List.of(new Explained.Region(hostile.regions().get(0), Explained.Asked.MATCHED, null)),
            0,
            1,
            0,
            List.of(HOSTILE),
            "");
    for (Explained answer : List.of(explained, Explained.refused(HOSTILE))) {
      String html =
          PageView.render(
              new PageModel(
                  asking(HOSTILE, HOSTILE),
                  List.of(holder(HOSTILE, HOSTILE)),
                  NOW,
                  List.of(),
                  List.of(hostile),
                  2,
                  Optional.of(HOSTILE),
                  Optional.of(answer)));
      ShownPage page = new ShownPage(html);

      assertThat(page.elements("script")).hasSize(1); // its own
      assertThat(page.elements("img")).isEmpty();
      assertThat(page.elements("h3").stream().map(Element::getTextContent))
          .anyMatch(text -> text.contains("<script>alert('x')</script>"));
      assertThat(html).doesNotContain("\u202E", "\u0000", "<img", "alert('x')");
      assertThat(page.elements("a").stream().map(a -> a.getAttribute("href")))
          .allMatch(href -> href.matches("/[a-z-]*(\\?[a-z]+=[A-Za-z0-9%+._*-]*)?"));
    }
  }

  @Test
  void scriptAndStyle_areNamedNotWritten_soThatThePolicyAllowsNoOther() {
    String html =
        PageView.render(page(asking("", ""), List.of(table("t", List.of(region(0, null))))));

    assertThat(html).doesNotContain("style=", "<style", "javascript:", "http:", "https:");
    assertThat(html).doesNotContainPattern("<script[^>]*>[^<]").doesNotContainPattern(" on[a-z]+=");
  }

  @Test
  void manyRegions_shareCells_andTheWorstOneShows() throws Exception {
    List<RegionSight> regions = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      regions.add(region(i, i == 31_000 ? OpenReason.MALFORMED : null));
    }
    ShownPage page = shown(page(asking("", ""), List.of(table("big", regions))));

    assertThat(page.cells("precise")).hasSize(119);
    assertThat(page.cells("open")).hasSize(1);
    assertThat(page.cells("open").get(0).getTextContent())
        .contains("region31000", "and 416 regions beside it");
  }

  @Test
  void page_isBounded_whateverIsInIt() {
    RowRange longKeys = new RowRange(new byte[32_000], new byte[0]);
    String longName = "x".repeat(100_000);
    RegionSight worst =
        new RegionSight(
            "0".repeat(32), longKeys, longName, OpenReason.ABSENT, 0, 0, Building.NOTHING);
    List<RegionSight> regions = IntStream.range(0, 2_500).mapToObj(i -> worst).toList();
    List<IndexSight> indexes =
        IntStream.range(0, 64)
            .mapToObj(
                i ->
                    new IndexSight(
                        longName,
                        longName,
                        longName,
                        longName,
                        "eager",
                        0,
                        new Building(9_999_999, Long.MAX_VALUE, Long.MAX_VALUE)))
            .toList();
    List<TableSight> tables =
        IntStream.range(0, 20)
            .mapToObj(i -> new TableSight("t" + i, indexes, regions, 10_000_000, ""))
            .toList();

    String html = PageView.render(page(asking("", ""), tables));

    assertThat(html.length()).isLessThan(4 << 20);
  }

  @Test
  void holders_showWhatEachHolds_andWhoDoesNotAnswer() throws Exception {
    ShownPage shown =
        new ShownPage(
            HoldersView.render(
                "master,16000,1",
                "version=3 holders=3 shards=2",
                List.of(holder("0", "one,16020,1/0a1b"), holder("2", HOSTILE)),
                List.of("1")));

    assertThat(shown.elements("tr")).hasSize(3);
    assertThat(shown.elements("tr").get(1).getTextContent())
        .contains("one,16020,1/0a1b", "11 of 12", "34,567", "1.0 MiB of 1.0 GiB");
    assertThat(shown.text())
        .contains("22 of 24", "version=3 holders=3 shards=2", "No answer from: 1.");
    assertThat(shown.elements("script")).hasSize(1);
    assertThat(shown.elements("img")).isEmpty();
  }
}
