/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.load.TargetTable.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    String cells = TargetTable.cells(now);
    for (Column column : Column.values()) {
      String value = after.get(column);
      String gone = before.get(column);
      if (value != null && random().nextInt(2) == 0) {
        look(row, column, value, cells, true);
      }
      if (gone != null && !gone.equals(value)) {
        look(row, column, gone, cells, false);
      }
    }
  }

  private void look(String row, Column column, String value, String cells, boolean expected)
      throws Exception {
    Way way = strongWay();
    Optional<Set<String>> answer = lookupInRow(way, row, column, value);
    if (answer.isPresent() && answer.get().contains(row) != expected) {
      judge().disagreement(name(), way, row, column, value, cells, !expected);
    }
  }
}
