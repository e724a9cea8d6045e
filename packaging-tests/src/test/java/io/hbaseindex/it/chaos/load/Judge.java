/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.it.chaos.load.TargetTable.Column;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.hadoop.hbase.client.Result;

/**
 * Decides whether an answer that was not expected is the index's fault, and gathers what is known
 * about it while it is fresh. The row itself, read by its key before and after, is the truth: a
 * write that HBase delayed or repeated may have changed it meanwhile.
 */
public final class Judge {
  private final Lookups lookups;
  private final Tally tally;

  public Judge(Lookups lookups, Tally tally) {
    this.lookups = lookups;
    this.tally = tally;
  }

  /**
   * An answer about a row that nobody wrote while it was asked for, and that did not agree with
   * what the row shows.
   *
   * @param before the row's cells before the question; null if only what was acknowledged is known
   * @param found whether the row was found
   */
  void disagreement(
      String who, Way way, String row, Column column, String value, String before, boolean found) {
    String after;
    boolean has;
    try {
      Result now = lookups.get(row);
      after = TargetTable.cells(now);
      has = value.equals(TargetTable.shown(now).get(column));
    } catch (IOException e) {
      Log.line("Cannot judge " + row + " by " + column + "=" + value + ": " + e.getMessage());
      return;
    }
    if (before != null && !before.equals(after)) {
      return;
    }
    Tally.Wrong wrong =
        has == found ? Tally.Wrong.LOST : found ? Tally.Wrong.INVENTED : Tally.Wrong.MISSED;
    tally.wrong(
        wrong,
        "%s asked %s for %s=%s of row %s during %s: %s; the row has [%s]; %s"
            .formatted(
                who,
                way,
                column,
                value,
                row,
                tally.fault(),
                found ? "found" : "absent",
                after,
                now(column, value)));
  }

  /** A row of somebody else was found by a value that only one row ever had. */
  void stranger(String who, Way way, String row, String value, Object found) {
    tally.wrong(
        Tally.Wrong.INVENTED,
        "%s asked %s for the code %s of row %s during %s and got %s"
            .formatted(who, way, value, row, tally.fault(), found));
  }

  /** What all ways say now, and where a routed scan is sent. */
  private String now(Column column, String value) {
    StringBuilder text = new StringBuilder("now");
    for (Way way : Way.values()) {
      try {
        text.append(' ').append(way).append(lookups.find(way, column, value));
      } catch (IOException e) {
        text.append(' ').append(way).append(" failed");
      }
    }
    try {
      text.append(" route ")
          .append(
              IndexAdmin.of(lookups.routed())
                  .explain(TargetTable.NAME, Lookups.where(column, value))
                  .route());
    } catch (IOException e) {
      text.append(" no route");
    }
    return text.toString();
  }

  static String stack(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
