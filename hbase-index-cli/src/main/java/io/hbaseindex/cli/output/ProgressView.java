/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.client.admin.status.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Shows how far long work has come: a bar that is drawn over and over on a terminal, a line now and
 * then elsewhere. Nothing is shown of work that ends at once.
 */
@InterfaceAudience.Private
public final class ProgressView implements Progress, AutoCloseable {
  /** Set by the launcher, which can tell whether stderr is a terminal; Java cannot. */
  static final String TERMINAL_PROPERTY = "hbaseindex.cli.terminal";

  private static final int BAR_WIDTH = 30;
  private static final long REDRAW_MILLIS = 100;
  private static final long LINE_MILLIS = 5_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final PrintWriter err;
  private final boolean terminal;
  private final LongSupplier clockMillis;
  private long shownAt;
  private boolean drawn;

  ProgressView(PrintWriter err, boolean terminal, LongSupplier clockMillis) {
    this.err = err;
    this.terminal = terminal;
    this.clockMillis = clockMillis;
    this.shownAt = clockMillis.getAsLong();
  }

  public static ProgressView on(PrintWriter err) {
    String told = System.getProperty(TERMINAL_PROPERTY);
    boolean terminal = told == null ? System.console() != null : Boolean.parseBoolean(told);
    return new ProgressView(err, terminal, () -> System.nanoTime() / NANOS_PER_MILLI);
  }

  @Override
  public void reached(Step step) {
    long now = clockMillis.getAsLong();
    if (now - shownAt < (terminal ? REDRAW_MILLIS : LINE_MILLIS)) {
      return;
    }
    shownAt = now;
    if (terminal) {
      drawn = true;
      err.print("\r" + bar(step) + " " + words(step) + "\u001B[K");
    } else {
      err.println(words(step));
    }
    err.flush();
  }

  private static String bar(Step step) {
    boolean byEntries = step.expected() > 0;
    long all = Math.max(1, byEntries ? step.expected() : step.regions());
    int full =
        (int) (BAR_WIDTH * Math.min(byEntries ? step.entries() : step.regionsDone(), all) / all);
    return "[" + "#".repeat(full) + ".".repeat(BAR_WIDTH - full) + "]";
  }

  private static String words(Step step) {
    String entries = step.entries() == 0 ? "" : ", %,d rows and postings".formatted(step.entries());
    if (step.expected() > 0) {
      entries = ", %,d of about %s".formatted(step.entries(), CountText.of(step.expected(), "row"));
    }
    return "%s: %d of %s%s"
        .formatted(
            step.work().name().toLowerCase(Locale.ROOT),
            step.regionsDone(),
            CountText.of(step.regions(), "region"),
            entries);
  }

  /** Takes the bar away. */
  @Override
  public void close() {
    if (drawn) {
      err.print("\r\u001B[K");
      err.flush();
      drawn = false;
    }
  }
}
