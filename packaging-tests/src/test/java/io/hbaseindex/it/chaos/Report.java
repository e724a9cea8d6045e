/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import io.hbaseindex.it.chaos.load.Tally;
import io.hbaseindex.it.chaos.load.Tally.Wrong;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What a run has seen, as a page of Markdown. */
final class Report {
  private final ChaosOptions options;
  private final Tally tally;
  private final Duration took;
  private final int registers;
  private final List<String> lines = new ArrayList<>();

  Report(ChaosOptions options, Tally tally, Duration took, int registers) {
    this.options = options;
    this.tally = tally;
    this.took = took;
    this.registers = registers;
  }

  /**
   * Prints it and writes it to a file.
   *
   * @param figures what was compared at rest
   * @return whether nothing was wrong
   */
  boolean write(List<String> figures) throws IOException {
    long writes = sum(tally.done(), false);
    long reads = sum(tally.done(), true);
    lines.add(
        "seed %d, %s min, %d operations/s at most"
            .formatted(options.seed(), options.minutes(), options.rate()));
    lines.add("");
    lines.add(
        "%,d writes and %,d reads answered, %,d writes and %,d reads failed by HBase, in %,d s"
            .formatted(
                writes,
                reads,
                sum(tally.failed(), false),
                sum(tally.failed(), true),
                took.toSeconds()));
    lines.add(
        "%,d registers with a history, each checked for linearizability".formatted(registers));
    lines.addAll(figures);
    for (Wrong wrong : Wrong.values()) {
      lines.add("%s: %d".formatted(wrong.name().toLowerCase(), tally.wrongs(wrong)));
    }
    operations();
    faults();
    waits();
    lines.addAll(tally.wrong());
    String page = String.join("\n", lines) + "\n";
    Files.writeString(options.directory().resolve("report.md"), page);
    System.out.println(page);
    return tally.wrong().isEmpty();
  }

  private static long sum(Map<String, Long> counts, boolean reads) {
    return counts.entrySet().stream()
        .filter(count -> count.getKey().startsWith("read ") == reads)
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private void operations() {
    lines.addAll(
        List.of(
            "",
            "| operation | answered | failed | longest, ms | during |",
            "|---|---|---|---|---|"));
    tally
        .longest()
        .forEach(
            (operation, waits) -> {
              Map.Entry<String, Long> worst = worst(waits);
              lines.add(
                  "| %s | %,d | %,d | %,d | %s |"
                      .formatted(
                          operation,
                          tally.done().getOrDefault(operation, 0L),
                          tally.failed().getOrDefault(operation, 0L),
                          worst.getValue(),
                          worst.getKey()));
            });
  }

  private void faults() {
    lines.addAll(
        List.of(
            "",
            "| fault | times | until precise, ms: median, longest | longest write, ms | longest read, ms |",
            "|---|---|---|---|---|"));
    Map<String, Long> times = new TreeMap<>(tally.faults());
    tally.untilPrecise().keySet().forEach(kind -> times.putIfAbsent(kind, 1L));
    times.forEach(
        (kind, count) ->
            lines.add(
                "| %s | %d | %s | %s | %s |"
                    .formatted(
                        kind,
                        count,
                        untilPrecise(kind),
                        longest(kind, false),
                        longest(kind, true))));
    tally
        .skipped()
        .forEach((kind, why) -> lines.add("| %s | skipped: %s | | | |".formatted(kind, why)));
  }

  private String untilPrecise(String kind) {
    List<Long> all = new ArrayList<>(tally.untilPrecise().getOrDefault(kind, List.of()));
    if (all.isEmpty()) {
      return "";
    }
    Collections.sort(all);
    return "%,d, %,d".formatted(all.get(all.size() / 2), all.get(all.size() - 1));
  }

  private String longest(String kind, boolean reads) {
    return tally.longest().entrySet().stream()
        .filter(operation -> operation.getKey().startsWith("read ") == reads)
        .map(operation -> operation.getValue().get(kind))
        .filter(Objects::nonNull)
        .max(Long::compare)
        .map("%,d"::formatted)
        .orElse("");
  }

  private void waits() {
    long calmWrite = 0;
    long calmRead = 0;
    for (Map.Entry<String, Map<String, Long>> operation : tally.longest().entrySet()) {
      long calm = operation.getValue().getOrDefault("none", 0L);
      if (operation.getKey().startsWith("read ")) {
        calmRead = Math.max(calmRead, calm);
      } else {
        calmWrite = Math.max(calmWrite, calm);
      }
    }
    lines.add("");
    lines.add(
        "longest waits while no server was broken: a write %,d ms, a read %,d ms"
            .formatted(calmWrite, calmRead));
    lines.add("");
  }

  private static Map.Entry<String, Long> worst(Map<String, Long> waits) {
    return Collections.max(waits.entrySet(), Map.Entry.comparingByValue());
  }
}
