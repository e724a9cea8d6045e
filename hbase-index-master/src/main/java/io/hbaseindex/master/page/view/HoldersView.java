/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import io.hbaseindex.master.page.model.HolderSight;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** Shows who holds filters, and how they stand there. */
@InterfaceAudience.Private
public final class HoldersView {
  private static final List<String> HEADINGS =
      List.of(
          "holder",
          "server",
          "since",
          "trusts filters",
          "lease",
          "precise regions",
          "values",
          "filters");

  private HoldersView() {}

  /**
   * The page of a master that keeps no filters, as HTML.
   *
   * @param layout where filters are kept, as text
   * @param holders those that have answered
   * @param silent those that have not
   */
  public static String render(
      String master, String layout, List<HolderSight> holders, List<String> silent) {
    Html html = new Html();
    PageView.begin(html, master);
    html.open("section", "id", "figures", "class", "live cards");
    long regions = holders.stream().mapToLong(holder -> holder.filters().regions()).sum();
    long precise = holders.stream().mapToLong(holder -> holder.filters().precise()).sum();
    html.open("div", "class", "card");
    html.element("span", "precise shards of regions", "class", "dim");
    html.element("strong", "%s of %s".formatted(Wording.number(precise), Wording.number(regions)));
    Bar.draw(html, precise, regions, precise == regions ? "precise" : "open");
    html.close().close();
    html.open("section", "id", "layout", "class", "live");
    html.element("p", "Filters are kept by holders: " + layout + ".");
    if (!silent.isEmpty()) {
      html.element("p", "No answer from: " + String.join(", ", silent) + ".", "id", "silent");
    }
    html.close();
    table(html, holders);
    html.close().close().close();
    return html.document();
  }

  static void table(Html html, List<HolderSight> holders) {
    html.open("section", "id", "holders", "class", "live").element("h2", "Holders of filters");
    html.open("table").open("thead").open("tr");
    HEADINGS.forEach(heading -> html.element("th", heading));
    html.close().close().open("tbody");
    for (HolderSight holder : holders) {
      Instant since = Instant.ofEpochMilli(holder.sinceMillis()).truncatedTo(ChronoUnit.SECONDS);
      HolderSight.Filters held = holder.filters();
      html.open("tr").element("td", Wording.name(holder.name()));
      html.element("td", Wording.name(holder.server()));
      html.element("td", since.toString());
      html.element("td", holder.trusting() ? "yes" : "not yet");
      html.element("td", Wording.number(holder.leaseMillis()) + " ms");
      html.element(
          "td",
          "%s of %s".formatted(Wording.number(held.precise()), Wording.number(held.regions())));
      html.element("td", Wording.number(held.values()));
      html.element("td", Wording.bytes(held.bytes()) + " of " + Wording.bytes(held.byteLimit()));
      html.close();
    }
    html.close().close().close();
  }
}
