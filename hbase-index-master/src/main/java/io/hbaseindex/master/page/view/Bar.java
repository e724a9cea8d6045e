/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import java.util.Locale;

/** Draws how much of a whole there is. */
final class Bar {
  private Bar() {}

  /**
   * Draws.
   *
   * @param css the class of the part that is there
   */
  static void draw(Html html, double part, double whole, String css) {
    double share = whole <= 0 ? 0 : Math.min(1, part / whole);
    html.open(
        "svg",
        "class",
        "bar",
        "viewBox",
        "0 0 100 8",
        "preserveAspectRatio",
        "none",
        "role",
        "img",
        "aria-label",
        Wording.share(share));
    html.empty("rect", "class", "whole", "x", "0", "y", "0", "width", "100", "height", "8");
    String width = String.format(Locale.ROOT, "%.2f", 100 * share);
    html.empty("rect", "class", css, "x", "0", "y", "0", "width", width, "height", "8");
    html.close();
  }
}
