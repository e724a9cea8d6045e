/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.util.Bytes;

/** The last calls per row and all region events, so that a failure shows how it came about. */
final class History {

  private static final int KEPT_PER_ROW = 30;

  private record Entry(int operation, Supplier<String> text) {}

  private final Map<byte[], Deque<Entry>> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final List<String> events = new ArrayList<>();
  private int operations;

  /** Notes the step and counts its operations. */
  void add(Step step) {
    for (byte[] row : step.rows()) {
      Deque<Entry> entries = byRow.computeIfAbsent(row, key -> new ArrayDeque<>());
      entries.addLast(new Entry(operations, step.text()));
      if (entries.size() > KEPT_PER_ROW) {
        entries.removeFirst();
      }
    }
    operations += step.operations();
  }

  void addEvent(String event) {
    events.add("after operation " + operations + ": " + event);
  }

  int operations() {
    return operations;
  }

  int events() {
    return events.size();
  }

  /** What happened to the row, the newest last. */
  String of(byte[] row) {
    StringBuilder text = new StringBuilder("row ").append(Bytes.toStringBinary(row)).append('\n');
    for (Entry entry : byRow.getOrDefault(row, new ArrayDeque<>())) {
      text.append("  ")
          .append(entry.operation())
          .append(": ")
          .append(entry.text().get())
          .append('\n');
    }
    return text.toString();
  }

  String eventLog() {
    return String.join("\n", events);
  }
}
