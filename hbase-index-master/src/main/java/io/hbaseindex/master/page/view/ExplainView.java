/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import io.hbaseindex.master.page.model.Explained;
import io.hbaseindex.master.page.model.PageModel;
import io.hbaseindex.master.page.model.TableSight;
import java.util.List;
import java.util.Locale;

/** Shows the form for a condition, and the regions that a query with it would ask. */
final class ExplainView {
  private static final int CELLS = 400;
  private static final int LISTED_REGIONS = 20;

  private static final StripView<Explained.Region> STRIP =
      new StripView<>(Explained.Region::asked, ExplainView::label);

  private final Html html;

  ExplainView(Html html) {
    this.html = html;
  }

  void show(PageModel page) {
    html.open("section", "id", "explain").element("h2", "Which regions would a query ask?");
    form(page);
    page.explained().ifPresent(this::answer);
    html.close();
  }

  private void form(PageModel page) {
    html.open("form", "method", "get", "action", PageView.PATH);
    html.open("label").text("table ");
    String table = page.question().table().orElse("");
    html.empty("input", "name", "table", "list", "tables", "required", "required", "value", table);
    html.close();
    html.open("datalist", "id", "tables");
    for (TableSight known : page.tables()) {
      html.empty("option", "value", known.name());
    }
    html.close();
    html.open("label", "class", "wide").text("where ");
    html.empty(
        "input",
        "name",
        "where",
        "placeholder",
        "f:email = 'hannah@example.org'",
        "maxlength",
        "2000",
        "spellcheck",
        "false",
        "value",
        page.question().where());
    html.close();
    html.element("button", "explain", "type", "submit").close();
    html.element(
        "p",
        "Columns = values, or in (…), joined by and, or. Values as text, 'quoted text', long:7, int:7, short:7, double:7.5, hex:00FF. The command bin/hbase-index explain takes all other conditions, ranges too.",
        "class",
        "dim");
  }

  private void answer(Explained explained) {
    if (!explained.problem().isEmpty()) {
      html.element("p", explained.problem(), "class", "problem", "id", "answer");
      return;
    }
    int all = explained.skipped() + explained.matched() + explained.unfiltered();
    String summary =
        "%s of %s regions are skipped; %s would be asked."
            .formatted(
                Wording.number(explained.skipped()),
                Wording.number(all),
                Wording.number(all - explained.skipped()));
    html.element("p", summary, "id", "answer");
    html.element(
        "p", "Filters are asked by " + String.join(" and ", explained.askedBy()), "class", "dim");
    STRIP.draw(html, explained.regions(), CELLS, summary);
    html.open("p", "class", "legend");
    key(Explained.Asked.MATCHED, explained.matched() + " asked: their filter says they may match");
    key(Explained.Asked.UNFILTERED, explained.unfiltered() + " asked for want of a filter");
    key(Explained.Asked.SKIPPED, explained.skipped() + " skipped: proven to hold no such row");
    html.close();
    asked(explained.regions());
  }

  private void asked(List<Explained.Region> regions) {
    List<Explained.Region> asked =
        regions.stream()
            .filter(region -> region.asked() != Explained.Asked.SKIPPED)
            .limit(LISTED_REGIONS)
            .toList();
    if (asked.isEmpty()) {
      return;
    }
    html.open("ul", "class", "code");
    asked.forEach(region -> html.element("li", label(region)));
    html.close();
  }

  private void key(Explained.Asked asked, String text) {
    html.open("span", "class", "key");
    html.element("i", "", "class", asked.name().toLowerCase(Locale.ROOT)).text(text).close();
  }

  private static String label(Explained.Region explained) {
    String verdict =
        switch (explained.asked()) {
          case SKIPPED -> "skipped";
          case MATCHED -> "asked: its filter says it may match";
          case UNFILTERED -> "asked: " + Wording.meaning(explained.why());
        };
    return "%s, %s, on %s: %s"
        .formatted(
            explained.region().name(),
            Wording.range(explained.region().range()),
            Wording.name(explained.region().server()),
            verdict);
  }
}
