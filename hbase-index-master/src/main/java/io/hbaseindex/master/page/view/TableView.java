/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import io.hbaseindex.master.page.model.Building;
import io.hbaseindex.master.page.model.IndexSight;
import io.hbaseindex.master.page.model.RegionColour;
import io.hbaseindex.master.page.model.RegionSight;
import io.hbaseindex.master.page.model.TableSight;
import java.util.List;
import java.util.Locale;

/** Shows one table: its indexes, how far they are built, and its regions. */
final class TableView {
  private static final int CELLS_AMONG_MANY = 120;
  private static final int CELLS_ALONE = 400;
  private static final int LISTED_REGIONS = 100;

  private static final StripView<RegionSight> STRIP =
      new StripView<>(RegionSight::colour, TableView::label);

  private final Html html;

  TableView(Html html) {
    this.html = html;
  }

  /**
   * Shows a table.
   *
   * @param alone whether it has the page for itself
   */
  void show(TableSight table, boolean alone) {
    html.open("article", "class", "table");
    html.open("h3").open("a", "href", PageView.link("table", table.name()));
    html.text(Wording.name(table.name())).close().close();
    if (!table.problem().isEmpty()) {
      html.element("p", table.problem(), "class", "problem");
    }
    indexes(table);
    STRIP.draw(html, table.regions(), alone ? CELLS_ALONE : CELLS_AMONG_MANY, summary(table));
    legend(table);
    if (alone) {
      unready(table);
    }
    html.close();
  }

  private void indexes(TableSight table) {
    if (table.indexes().isEmpty()) {
      return;
    }
    html.open("table").open("thead").open("tr");
    for (String heading :
        List.of("index", "columns", "includes", "also routed by", "mode", "complete in", "")) {
      html.element("th", heading);
    }
    html.close().close().open("tbody");
    int regions = table.regions().size();
    for (IndexSight index : table.indexes()) {
      html.open("tr").element("td", Wording.name(index.name()));
      html.element("td", Wording.name(index.columns()), "class", "code");
      html.element("td", Wording.name(index.included()), "class", "code");
      html.element("td", Wording.name(index.routes()), "class", "code");
      html.element("td", index.mode());
      html.open("td").text("%d of %d regions".formatted(index.covered(), regions));
      if (index.building().regions() > 0) {
        html.element("span", progress(index.building()), "class", "dim progress");
      }
      html.close().open("td");
      double done = index.covered() + index.building().regions() * index.building().share();
      Bar.draw(html, done, regions, index.covered() < regions ? "building" : "precise");
      html.close().close();
    }
    html.close().close();
  }

  /** How far an index is in the regions that build it. */
  private static String progress(Building building) {
    return "building in %s: %s"
        .formatted(
            building.regions() == 1 ? "1 region" : Wording.number(building.regions()) + " regions",
            rows(building));
  }

  private static String rows(Building building) {
    return building.rowsExpected() == 0
        ? Wording.number(building.rowsDone()) + " rows"
        : "%s of about %s rows, %s"
            .formatted(
                Wording.number(building.rowsDone()),
                Wording.number(building.rowsExpected()),
                Wording.share(building.share()));
  }

  private static String summary(TableSight table) {
    StringBuilder summary =
        new StringBuilder(Wording.number(table.regionsInAll())).append(" regions");
    for (RegionColour colour : RegionColour.values()) {
      if (table.count(colour) > 0) {
        summary.append(", ").append(table.count(colour)).append(' ').append(colour.words());
      }
    }
    return summary.toString();
  }

  private void legend(TableSight table) {
    html.open("p", "class", "legend");
    for (RegionColour colour : RegionColour.values()) {
      html.open("span", "class", "key");
      html.element("i", "", "class", colour.name().toLowerCase(Locale.ROOT));
      html.text(Wording.number(table.count(colour)) + " " + colour.words()).close();
    }
    if (table.regions().size() < table.regionsInAll()) {
      html.element(
          "span",
          "The first %s of %s regions were looked at."
              .formatted(
                  Wording.number(table.regions().size()), Wording.number(table.regionsInAll())),
          "class",
          "dim");
    }
    html.close();
  }

  /** Lists the regions whose filter is not trusted. */
  private void unready(TableSight table) {
    List<RegionSight> unready =
        table.regions().stream().filter(region -> region.open() != null).toList();
    if (unready.isEmpty()) {
      return;
    }
    html.open("table").open("thead").open("tr");
    for (String heading : List.of("region", "keys", "server", "why it is open")) {
      html.element("th", heading);
    }
    html.close().close().open("tbody");
    for (RegionSight region : unready.subList(0, Math.min(LISTED_REGIONS, unready.size()))) {
      html.open("tr").element("td", region.name(), "class", "code");
      html.element("td", Wording.range(region.range()), "class", "code");
      html.element("td", Wording.name(region.server()));
      String why = Wording.reason(region.open()) + ": " + Wording.meaning(region.open());
      html.element(
          "td", region.building().regions() == 0 ? why : why + "; " + rows(region.building()));
      html.close();
    }
    html.close().close();
    if (unready.size() > LISTED_REGIONS) {
      String more = "and " + Wording.number(unready.size() - LISTED_REGIONS) + " more";
      html.element("p", more, "class", "dim");
    }
  }

  /** What is told of a region that is pointed at. */
  static String label(RegionSight region) {
    String state =
        region.open() == null
            ? "precise: filter of %s, error %s"
                .formatted(Wording.bytes(region.filterBytes()), Wording.share(region.error()))
            : "open, %s: %s"
                .formatted(Wording.reason(region.open()), Wording.meaning(region.open()));
    String server = region.server().isEmpty() ? "no server" : Wording.name(region.server());
    String building =
        region.building().regions() == 0 ? "" : "\nbuilding: " + rows(region.building());
    return "%s\n%s\n%s\n%s%s"
        .formatted(region.name(), Wording.range(region.range()), server, state, building);
  }
}
