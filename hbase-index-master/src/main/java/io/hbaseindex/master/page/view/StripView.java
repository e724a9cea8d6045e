/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Draws regions side by side, in key order and equally wide. Where there are more regions than
 * cells, a cell stands for several and is coloured by the one that calls most for a look.
 *
 * @param <T> what stands for a region
 */
final class StripView<T> {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 28;

  private final Function<T, Enum<?>> state;
  private final Function<T, String> label;

  /**
   * @param state the state of a region, whose name is the CSS class of its cell; of a cell's
   *     regions the last constant counts
   * @param label what is told of a region when it is pointed at
   */
  StripView(Function<T, Enum<?>> state, Function<T, String> label) {
    this.state = state;
    this.label = label;
  }

  /**
   * Draws.
   *
   * @param most how many cells are drawn at most
   * @param summary what the picture shows, for those who cannot see it
   */
  void draw(Html html, List<T> regions, int most, String summary) {
    int cells = Math.min(most, regions.size());
    html.open(
        "svg",
        "class",
        "strip",
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "preserveAspectRatio",
        "none",
        "role",
        "img",
        "aria-label",
        summary);
    for (int cell = 0; cell < cells; cell++) {
      int from = (int) ((long) cell * regions.size() / cells);
      int to = (int) ((long) (cell + 1) * regions.size() / cells);
      draw(html, regions.subList(from, to), (double) cell / cells, 1.0 / cells);
    }
    html.close();
  }

  private void draw(Html html, List<T> group, double at, double width) {
    T shown = group.get(0);
    for (T region : group) {
      if (state.apply(region).ordinal() > state.apply(shown).ordinal()) {
        shown = region;
      }
    }
    String others = group.size() == 1 ? "" : "\nand " + (group.size() - 1) + " regions beside it";
    html.open(
        "rect",
        "class",
        state.apply(shown).name().toLowerCase(Locale.ROOT),
        "x",
        decimal(WIDTH * at),
        "width",
        decimal(WIDTH * width),
        "y",
        "0",
        "height",
        Integer.toString(HEIGHT),
        "data-regions",
        Integer.toString(group.size()));
    html.element("title", label.apply(shown) + others);
    html.close();
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.3f", number);
  }
}
