/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.it.chaos.load.Log;
import io.hbaseindex.it.chaos.load.Lookups;
import io.hbaseindex.it.chaos.load.RegisterRows;
import io.hbaseindex.it.chaos.load.Tally;
import io.hbaseindex.it.chaos.load.Tally.Wrong;
import io.hbaseindex.it.chaos.load.TargetTable;
import io.hbaseindex.it.chaos.load.TargetTable.Column;
import io.hbaseindex.it.chaos.load.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Compares, while nobody writes, what was acknowledged, what a plain scan of everything shows, what
 * every way of asking finds, and what the checker says; and looks at the servers' counters whether
 * index and routes did the work.
 */
final class Agreement {
  /** Questions whose routes and jumps are looked at one by one. */
  private static final int EXPLAINED = 20;

  private static final double USED_SHARE = 0.9;

  private final Lookups lookups;
  private final RegisterRows registers;
  private final Tally tally;
  private long compared;
  private long explained;
  private long narrow;
  private long jumped;
  private CheckReport lastCheck = CheckReport.NOTHING;

  Agreement(Lookups lookups, RegisterRows registers, Tally tally) {
    this.lookups = lookups;
    this.registers = registers;
    this.tally = tally;
  }

  /**
   * Compares everything that was acknowledged, and so many values of each column.
   *
   * @param values how many values of each column are asked for, by every way
   */
  void check(int values, long seed) throws IOException, InterruptedException {
    // Bounded reads may miss what is younger.
    Thread.sleep(Lookups.STALENESS_MILLIS);
    Map<String, Map<Column, String>> rows = lookups.everything();
    acknowledged(rows);
    for (Column column : Column.values()) {
      values(column, rows, values, new Random(seed));
    }
    verify();
    use(rows, new Random(seed));
    Log.line("agreement: %d rows, %d questions compared so far".formatted(rows.size(), compared));
  }

  private void acknowledged(Map<String, Map<Column, String>> rows) {
    for (Map.Entry<String, Optional<String>> register : registers.settled().entrySet()) {
      String shown = rows.getOrDefault(register.getKey(), Map.of()).get(Column.CODE);
      if (!Objects.equals(shown, register.getValue().orElse(null))) {
        tally.wrong(
            Wrong.LOST,
            "a plain scan shows code %s of row %s, and %s was acknowledged"
                .formatted(shown, register.getKey(), register.getValue()));
      }
    }
  }

  private void values(
      Column column, Map<String, Map<Column, String>> rows, int limit, Random random)
      throws IOException {
    Map<String, Set<String>> holders = new TreeMap<>();
    rows.forEach(
        (row, shown) -> {
          if (shown.containsKey(column)) {
            holders.computeIfAbsent(shown.get(column), any -> new TreeSet<>()).add(row);
          }
        });
    holders.put("nobody's", Set.of());
    List<String> asked = new ArrayList<>(holders.keySet());
    Collections.shuffle(asked, random);
    for (String value : asked.subList(0, Math.min(limit, asked.size()))) {
      for (Way way : Way.values()) {
        compare(way, column, value, holders.get(value));
      }
      count(column, value, holders.get(value).size());
    }
  }

  private void compare(Way way, Column column, String value, Set<String> expected)
      throws IOException {
    if (way == Way.PLAIN && column == Column.CODE) {
      // The scan of everything was just this.
      return;
    }
    compared++;
    Set<String> found = lookups.find(way, column, value);
    if (found.equals(expected)) {
      return;
    }
    Set<String> missed = new TreeSet<>(expected);
    missed.removeAll(found);
    Set<String> invented = new TreeSet<>(found);
    invented.removeAll(expected);
    tally.wrong(
        missed.isEmpty() ? Wrong.INVENTED : Wrong.MISSED,
        "at rest, %s for %s=%s missed %s and invented %s"
            .formatted(way, column, value, missed, invented));
  }

  private void count(Column column, String value, int expected) throws IOException {
    compared++;
    long counted =
        QueryClient.of(lookups.routed())
            .count(
                IndexQuery.from(TargetTable.NAME)
                    .where(
                        io.hbaseindex.client.query.Column.of(column.family(), column.qualifier())
                            .equalTo(Value.of(Bytes.toBytesBinary(value)))));
    if (counted != expected) {
      tally.wrong(
          counted < expected ? Wrong.MISSED : Wrong.INVENTED,
          "at rest, %d rows are counted for %s=%s, and there are %d"
              .formatted(counted, column, value, expected));
    }
  }

  private void verify() throws IOException {
    lastCheck = IndexAdmin.of(lookups.routed()).verify(TargetTable.NAME, Progress.NONE);
    if (lastCheck.missing() > 0 || lastCheck.overstated() > 0) {
      tally.wrong(Wrong.UNCLEAN, "verify: " + lastCheck);
    }
  }

  /** Asks for single codes: one region must be asked, by the filters, and must jump. */
  private void use(Map<String, Map<Column, String>> rows, Random random) throws IOException {
    List<String> codes =
        new ArrayList<>(
            rows.values().stream()
                .map(row -> row.get(Column.CODE))
                .filter(Objects::nonNull)
                .toList());
    Collections.shuffle(codes, random);
    List<Explanation> answers = new ArrayList<>();
    for (String code : codes.subList(0, Math.min(EXPLAINED, codes.size()))) {
      answers.add(
          IndexAdmin.of(lookups.routed())
              .explain(TargetTable.NAME, Lookups.where(Column.CODE, code)));
    }
    long narrowNow =
        answers.stream()
            .map(Explanation::route)
            .filter(route -> route.isPrecise() && route.candidates() == 1)
            .count();
    long jumpedNow = answers.stream().filter(one -> one.counted("scansJumped") > 0).count();
    explained += answers.size();
    narrow += narrowNow;
    jumped += jumpedNow;
    if (narrowNow < USED_SHARE * answers.size() || jumpedNow < USED_SHARE * answers.size()) {
      tally.wrong(
          Wrong.UNUSED,
          "of %d questions for one row, %d went to one region and %d jumped; the last: %s"
              .formatted(
                  answers.size(), narrowNow, jumpedNow, answers.get(answers.size() - 1).route()));
    }
  }

  /** What was compared and used, in sentences. */
  List<String> figures() throws IOException {
    return List.of(
        "%,d questions at rest, each compared with a plain scan of everything".formatted(compared),
        "%,d of %,d questions for one row went to one region by the filters, %,d jumped by the region's counters"
            .formatted(narrow, explained, jumped),
        "the last verify: %,d rows, %,d postings, %d missing, %d dangling"
            .formatted(
                lastCheck.rows(), lastCheck.postings(), lastCheck.missing(), lastCheck.dangling()),
        "scans that jumped since the regions opened last: %,d"
            .formatted(
                IndexAdmin.of(lookups.routed())
                    .states(TargetTable.NAME)
                    .counters()
                    .getOrDefault("scansJumped", 0L)),
        "routes of the clients: " + lookups.counters());
  }
}
