/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import io.hbaseindex.master.page.model.HistorySample;
import io.hbaseindex.master.page.model.HolderSight;
import io.hbaseindex.master.page.model.PageModel;
import io.hbaseindex.master.page.model.TableSight;
import org.apache.yetus.audience.InterfaceAudience;

/** Makes the page. It is whole without its script, which only keeps it up to date. */
@InterfaceAudience.Private
public final class PageView {
  /** Where the page is in the master's web UI. */
  public static final String PATH = "/hbase-index";

  private final PageModel page;
  private final HistoryView history;
  private final Html html = new Html();

  private PageView(PageModel page) {
    this.page = page;
    this.history = new HistoryView(page.history());
  }

  /** The page as HTML. */
  public static String render(PageModel page) {
    return new PageView(page).render();
  }

  /** A link to the page with one parameter. */
  static String link(String parameter, String value) {
    return PATH + "?" + parameter + "=" + Wording.inLink(value);
  }

  private String render() {
    begin(html, page.holders().stream().findFirst().map(HolderSight::server).orElse(""));
    figures();
    new ExplainView(html).show(page);
    tables();
    over();
    HoldersView.table(html, page.holders());
    html.close().close().close();
    return html.document();
  }

  /** Everything up to the first section. */
  static void begin(Html html, String server) {
    html.open("html", "lang", "en").open("head");
    html.empty("meta", "charset", "utf-8");
    html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.empty("meta", "name", "color-scheme", "content", "light dark");
    html.element("title", "hbase-index");
    html.empty("link", "rel", "stylesheet", "href", PATH + "/page.css");
    html.open("script", "src", PATH + "/page.js", "defer", "defer").close();
    html.close();
    html.open("body");
    html.open("header").open("h1").open("a", "href", PATH).text("hbase-index").close().close();
    html.element("span", Wording.name(server), "class", "dim");
    html.element("a", "HBase master", "href", "/master-status").close();
    html.open("main");
  }

  private void figures() {
    html.open("section", "id", "figures", "class", "live cards");
    HistorySample counted = page.now();
    long regions = counted.precise() + counted.openRegions();
    card(
        "precise regions",
        "%s of %s".formatted(Wording.number(counted.precise()), Wording.number(regions)));
    Bar.draw(html, counted.precise(), regions, counted.openRegions() == 0 ? "precise" : "open");
    html.close();
    for (HolderSight holder : page.holders()) {
      HolderSight.Filters held = holder.filters();
      card("filters, of " + Wording.bytes(held.byteLimit()), Wording.bytes(held.bytes()));
      boolean tight = held.bytes() > held.byteLimit() * 9 / 10;
      Bar.draw(html, held.bytes(), held.byteLimit(), tight ? "open" : "precise");
      html.close();
    }
    HistoryView.Step now = history.now();
    card("pushes per second", Wording.rate(now.pushes()));
    html.close();
    card("routes per second", Wording.rate(now.routes()));
    html.close();
    card("regions left out by routes", Wording.share(now.excludedShare()));
    html.close();
    html.close();
  }

  /** Opens a card. */
  private void card(String name, String value) {
    html.open("div", "class", "card");
    html.element("span", name, "class", "dim").element("strong", value);
  }

  private void tables() {
    html.open("section", "id", "tables-and-regions", "class", "live");
    boolean alone = page.question().table().isPresent();
    html.element("h2", alone ? "Table" : "Tables");
    if (page.tables().isEmpty()) {
      html.element("p", alone ? "It has no index." : "No table has an index.", "id", "no-index");
    }
    for (TableSight table : page.tables()) {
      new TableView(html).show(table, alone);
    }
    page.next()
        .ifPresent(
            next -> {
              html.open("p")
                  .element(
                      "a",
                      "more of the %s tables".formatted(Wording.number(page.tablesInAll())),
                      "href",
                      link("from", next));
              html.close();
            });
    html.close();
  }

  private void over() {
    html.open("section", "id", "history", "class", "live");
    html.element("h2", "Of late").open("div", "class", "figures");
    history.drawOpenReasons(html);
    history.drawCalls(html);
    html.close().close();
  }
}
