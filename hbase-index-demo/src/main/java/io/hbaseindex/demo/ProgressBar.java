/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * A step that takes a while: a bar that fills on a terminal, a single line in a log. Not safe for
 * use by several threads at once.
 */
final class ProgressBar {
  private static final int WIDTH = 30;
  private static final long REDRAW_NANOS = Duration.ofMillis(100).toNanos();

  private final PrintStream out;
  private final boolean terminal;
  private final String what;
  private final long started = System.nanoTime();
  private long drawn;

  ProgressBar(PrintStream out, boolean terminal, String what) {
    this.out = out;
    this.terminal = terminal;
    this.what = what;
    if (terminal) {
      draw(0, "");
    }
  }

  /** So much is done; {@code detail} says it in words. */
  void at(double fraction, String detail) {
    if (terminal && System.nanoTime() - drawn > REDRAW_NANOS) {
      draw(fraction, detail);
    }
  }

  /** The step is complete; {@code result} says what came of it. */
  void done(String result) {
    double seconds = (System.nanoTime() - started) / 1e9;
    String line = String.format(Locale.ROOT, "%-34s %s (%.1f s)", what, result, seconds);
    out.println((terminal ? "\r\033[K" : "") + line);
  }

  private void draw(double fraction, String detail) {
    drawn = System.nanoTime();
    int filled = (int) Math.round(Math.min(1, Math.max(0, fraction)) * WIDTH);
    out.printf(
        "\r\033[K%-34s [%s%s] %s", what, "#".repeat(filled), ".".repeat(WIDTH - filled), detail);
    out.flush();
  }
}
