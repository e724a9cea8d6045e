/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.it.chaos.ask.Lookups;
import io.hbaseindex.it.chaos.ask.Question;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.ask.Way;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
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
      String who, Way way, String row, Question question, String before, boolean found) {
    Optional<Result> now = unchanged(row, question, before);
    if (now.isEmpty()) {
      return;
    }
    boolean has = question.isMetBy(TargetTable.shown(now.get()));
    Tally.Wrong wrong =
        has == found ? Tally.Wrong.LOST : found ? Tally.Wrong.INVENTED : Tally.Wrong.MISSED;
    tally.wrong(wrong, evidence(who, way, row, question, found ? "found" : "absent", now.get()));
  }

  /**
   * The row was found, with cells that it did not have.
   *
   * @param before the row's cells before the question; null if only what was acknowledged is known
   * @param told the cells
   */
  void otherCells(String who, Way way, String row, Question question, String before, String told) {
    Optional<Result> now = unchanged(row, question, before);
    if (now.isPresent()) {
      boolean has = told.equals(question.cells(way, now.get()));
      tally.wrong(
          has ? Tally.Wrong.LOST : Tally.Wrong.INVENTED,
          evidence(who, way, row, question, "found with [" + told + "]", now.get()));
    }
  }

  /** The row, unless it was written since. */
  private Optional<Result> unchanged(String row, Question question, String before) {
    try {
      Result now = lookups.get(row);
      return before == null || before.equals(TargetTable.cells(now))
          ? Optional.of(now)
          : Optional.empty();
    } catch (IOException e) {
      Log.line("Cannot judge " + row + " by " + question + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private String evidence(
      String who, Way way, String row, Question question, String answer, Result now) {
    return "%s asked %s for %s of row %s during %s: %s; the row has [%s]; %s"
        .formatted(
            who, way, question, row, tally.fault(), answer, TargetTable.cells(now), now(question));
  }

  /** A row of somebody else was found by a value that only one row ever had. */
  void stranger(String who, Way way, String row, String value, Object found) {
    tally.wrong(
        Tally.Wrong.INVENTED,
        "%s asked %s for the code %s of row %s during %s and got %s"
            .formatted(who, way, value, row, tally.fault(), found));
  }

  /** What all ways say now, and where a routed scan is sent. */
  private String now(Question question) {
    StringBuilder text = new StringBuilder("now");
    for (Way way : Way.values()) {
      try {
        text.append(' ').append(way).append(lookups.find(way, question));
      } catch (IOException e) {
        text.append(' ').append(way).append(" failed");
      }
    }
    try {
      text.append(" route ")
          .append(
              IndexAdmin.of(lookups.routed())
                  .explain(TargetTable.NAME, question.scan(Way.STRONG))
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
