/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.view;

import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.master.page.model.HistorySample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Draws what was counted over the last while: calls per second, and open regions by reason. */
final class HistoryView {
  private static final int WIDTH = 600;
  private static final int HEIGHT = 120;

  /** What happened between two samples that follow each other. */
  record Step(double pushes, double routes, double excluded, double asked) {
    /** The share of regions that routes left out; 0 without routes. */
    double excludedShare() {
      return excluded + asked == 0 ? 0 : excluded / (excluded + asked);
    }
  }

  private final List<HistorySample> samples;
  private final List<Step> steps = new ArrayList<>();

  HistoryView(List<HistorySample> samples) {
    this.samples = samples;
    for (int i = 1; i < samples.size(); i++) {
      steps.add(step(samples.get(i - 1), samples.get(i)));
    }
  }

  private static Step step(HistorySample before, HistorySample after) {
    double seconds = Math.max(1, after.atMillis() - before.atMillis()) / 1000.0;
    return new Step(
        Math.max(0, after.pushes() - before.pushes()) / seconds,
        Math.max(0, after.routes() - before.routes()) / seconds,
        Math.max(0, after.excluded() - before.excluded()) / seconds,
        Math.max(0, after.asked() - before.asked()) / seconds);
  }

  /** What happened last; nothing if too little is known. */
  Step now() {
    return steps.isEmpty() ? new Step(0, 0, 0, 0) : steps.get(steps.size() - 1);
  }

  /** Draws pushes and routes per second, and the share of regions that routes left out. */
  void drawCalls(Html html) {
    figure(html, "Pushes and routes per second");
    double most = steps.stream().mapToDouble(s -> Math.max(s.pushes(), s.routes())).max().orElse(0);
    svg(html, "Pushes and routes per second, up to " + Wording.rate(most));
    line(html, "line pushes", most, Step::pushes);
    line(html, "line routes", most, Step::routes);
    html.close();
    html.open("figcaption");
    key(html, "pushes", "pushes, now " + Wording.rate(now().pushes()));
    key(html, "routes", "routes, now " + Wording.rate(now().routes()));
    html.element("span", "top of the picture: " + Wording.rate(most), "class", "dim");
    html.close().close();

    figure(html, "Share of regions that routes left out");
    svg(html, "Share of regions left out, of all regions of the tables asked");
    line(html, "line excluded", 1, Step::excludedShare);
    html.close();
    html.open("figcaption");
    key(html, "excluded", "left out, now " + Wording.share(now().excludedShare()));
    html.element("span", "top of the picture: 100 %", "class", "dim");
    html.close().close();
  }

  /** Draws the open regions, one reason upon the other. */
  void drawOpenReasons(Html html) {
    long most = samples.stream().mapToLong(HistorySample::openRegions).max().orElse(0);
    figure(html, "Open regions by reason");
    svg(html, "Open regions by reason, at most " + most);
    Set<OpenReason> seen = EnumSet.noneOf(OpenReason.class);
    samples.forEach(sample -> seen.addAll(sample.open().keySet()));
    Map<OpenReason, Long> last = new EnumMap<>(OpenReason.class);
    if (!samples.isEmpty()) {
      last.putAll(samples.get(samples.size() - 1).open());
    }
    double[] base = new double[samples.size()];
    for (OpenReason reason : seen) {
      area(html, reason, base, Math.max(1, most));
    }
    html.close();
    html.open("figcaption");
    for (OpenReason reason : seen) {
      html.open("span", "class", "key", "title", Wording.meaning(reason));
      html.element("i", "", "class", css(reason));
      html.text(Wording.reason(reason) + " " + last.getOrDefault(reason, 0L)).close();
    }
    String top = seen.isEmpty() ? "no region was open" : "top of the picture: " + most;
    html.element("span", top, "class", "dim");
    html.close().close();
  }

  static String css(OpenReason reason) {
    return "reason-" + reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private void area(Html html, OpenReason reason, double[] base, double most) {
    StringBuilder upper = new StringBuilder();
    StringBuilder lower = new StringBuilder();
    for (int i = 0; i < base.length; i++) {
      lower.insert(0, point(i, base.length, base[i] / most));
      base[i] += samples.get(i).open().getOrDefault(reason, 0L);
      upper.append(point(i, base.length, base[i] / most));
    }
    html.empty("polygon", "class", css(reason), "points", upper.append(lower).toString());
  }

  private void line(Html html, String css, double most, ToDoubleFunction<Step> value) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < steps.size(); i++) {
      double height = most == 0 ? 0 : value.applyAsDouble(steps.get(i)) / most;
      points.append(point(i, steps.size(), height));
    }
    html.empty("polyline", "class", css, "points", points.toString());
  }

  private static String point(int at, int of, double height) {
    double x = of < 2 ? 0 : (double) WIDTH * at / (of - 1);
    return String.format(Locale.ROOT, "%.1f,%.1f ", x, (HEIGHT - 2) * (1 - height) + 1);
  }

  private static void figure(Html html, String heading) {
    html.open("figure").element("h3", heading);
  }

  private static void svg(Html html, String summary) {
    html.open(
        "svg",
        "class",
        "chart",
        "viewBox",
        "0 0 " + WIDTH + " " + HEIGHT,
        "preserveAspectRatio",
        "none",
        "role",
        "img",
        "aria-label",
        summary);
  }

  private static void key(Html html, String css, String text) {
    html.open("span", "class", "key").element("i", "", "class", css).text(text).close();
  }
}
