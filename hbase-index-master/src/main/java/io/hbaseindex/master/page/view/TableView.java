/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

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
      html.element("td", "%d of %d regions".formatted(index.covered(), regions));
      html.open("td");
      Bar.draw(html, index.covered(), regions, index.covered() < regions ? "building" : "precise");
      html.close().close();
    }
    html.close().close();
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
      html.element("td", Wording.reason(region.open()) + ": " + Wording.meaning(region.open()));
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
    return "%s\n%s\n%s\n%s".formatted(region.name(), Wording.range(region.range()), server, state);
  }
}
