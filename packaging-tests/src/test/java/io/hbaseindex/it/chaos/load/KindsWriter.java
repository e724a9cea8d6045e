/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.ask.Question;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import io.hbaseindex.it.chaos.ask.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Does to rows of its own every kind of mutation that HBase has. What a row shows afterwards may
 * depend on servers' clocks and on versions that show again, so it is read by its key; then it must
 * be found by the values that it shows, and not by those that it showed before.
 */
public final class KindsWriter extends Client {
  private static final int ROWS = 60;

  private final AnyMutation mutations;
  private final List<String> rows = new ArrayList<>();
  private final Map<String, Map<Column, String>> shown = new TreeMap<>();
  private int created;

  public KindsWriter(
      String name, Shared shared, SplittableRandom random, Table table, long firstTimestamp) {
    super(name, shared, random);
    this.mutations = new AnyMutation(table, random, firstTimestamp);
  }

  @Override
  void step() throws Exception {
    while (rows.size() < ROWS) {
      rows.add(TargetTable.key(random().nextInt(26), "kinds-" + name() + "-" + created++));
    }
    AnyMutation.Kind kind = mutations.kind();
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < kind.rows(); i++) {
      String row = rows.get(random().nextInt(rows.size()));
      if (!chosen.contains(row)) {
        chosen.add(row);
      }
    }
    Write write = mutations.of(kind, chosen);
    if (acknowledged(kind.text(), kind.text(), chosen.get(0), null, write)) {
      for (String row : chosen) {
        lookAt(row);
      }
    } else {
      rows.removeAll(chosen);
      chosen.forEach(shown::remove);
    }
  }

  private void lookAt(String row) throws Exception {
    Result now;
    try {
      now = lookups().get(row);
    } catch (IOException e) {
      // Unknown what it shows; the next write to it finds out.
      shown.remove(row);
      return;
    }
    Map<Column, String> before = shown.getOrDefault(row, Map.of());
    Map<Column, String> after = TargetTable.shown(now);
    shown.put(row, after);
    for (Column column : Column.values()) {
      lookFor(List.of(column), before, after, row, now);
    }
    lookFor(TargetTable.COMBINATION, before, after, row, now);
  }

  /** Asks for the row by what it shows of the columns, and by what it showed before. */
  private void lookFor(
      List<Column> columns,
      Map<Column, String> before,
      Map<Column, String> after,
      String row,
      Result now)
      throws Exception {
    Optional<Question> shows = Question.about(after, columns);
    if (shows.isPresent() && random().nextInt(2) == 0) {
      look(row, shows.get(), now, true);
    }
    Optional<Question> showed = Question.about(before, columns);
    if (showed.isPresent() && !showed.equals(shows)) {
      look(row, showed.get(), now, false);
    }
  }

  private void look(String row, Question question, Result now, boolean expected) throws Exception {
    Way way = strongWay();
    Optional<Map<String, String>> answer = lookupInRow(way, row, question);
    if (answer.isEmpty()) {
      return;
    }
    String told = answer.get().get(row);
    if ((told != null) != expected) {
      judge().disagreement(name(), way, row, question, TargetTable.cells(now), !expected);
    } else if (expected && !told.equals(question.cells(way, now))) {
      judge().otherCells(name(), way, row, question, TargetTable.cells(now), told);
    }
  }
}
