/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import java.util.Locale;

/**
 * How often a filter said yes for what was absent.
 *
 * @param wrong how often it said yes
 * @param asked how often it was asked
 */
public record ErrorRate(long wrong, long asked) {
  /** The rate as a number. */
  public double value() {
    return (double) wrong / asked;
  }

  /** The rate as text; that none was wrong is said with the number of tries. */
  @Override
  public String toString() {
    return wrong == 0 ? String.format(Locale.ROOT, "0 of %,d", asked) : format(value());
  }

  /** A rate from a formula, written as a measured one is. */
  public static String format(double rate) {
    if (rate >= 0.00995) {
      return String.format(Locale.ROOT, "%.1f %%", 100 * rate);
    }
    return String.format(Locale.ROOT, "%.2g", rate);
  }
}
