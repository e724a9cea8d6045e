/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.explain.RouteFigures;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.it.chaos.ask.Lookups;
import io.hbaseindex.it.chaos.ask.Question;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import io.hbaseindex.it.chaos.ask.Way;
import io.hbaseindex.it.chaos.load.Log;
import io.hbaseindex.it.chaos.load.RegisterRows;
import io.hbaseindex.it.chaos.load.Tally;
import io.hbaseindex.it.chaos.load.Tally.Wrong;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
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

  /** Values that a delete marker hides keep their postings; rows behind one are read. */
  private static final double USED_SHARE_BEHIND_MARKERS = 0.5;

  /**
   * A client leaves a holder of filters that failed again and again alone for half a minute at
   * most; then it must find where it is now.
   */
  private static final long ROUTED_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final long POLL_MILLIS = 200;

  private final Lookups lookups;
  private final RegisterRows registers;
  private final Tally tally;
  private final NumbersAtRest numbers;
  private final Use codes = new Use("for one row", "by_code");
  private final Use combinations = new Use("for a combination of columns", "by_combination");
  private final Use partial = new Use("by a partial index", "by_mark");
  private long compared;
  private long longestUnrouted;
  private CheckReport lastCheck = CheckReport.NOTHING;

  Agreement(Lookups lookups, RegisterRows registers, Tally tally) {
    this.lookups = lookups;
    this.registers = registers;
    this.tally = tally;
    this.numbers = new NumbersAtRest(lookups, tally);
  }

  /**
   * Compares everything that was acknowledged, and so many values of each column.
   *
   * @param values how many values of each column are asked for, by every way
   */
  void check(int values, long seed) throws IOException, InterruptedException {
    // Bounded reads may miss what is younger.
    Thread.sleep(Lookups.STALENESS_MILLIS);
    Map<String, Result> rows = lookups.everything();
    routedAgain();
    acknowledged(rows);
    for (Column column : Column.values()) {
      questions(List.of(column), rows, values, new Random(seed));
      numbers.distribution(column, rows);
    }
    questions(TargetTable.COMBINATION, rows, values, new Random(seed));
    numbers.sums(rows);
    numbers.order(rows);
    verify();
    use(rows, new Random(seed));
    Log.line(
        "agreement: %d rows, %d questions compared so far"
            .formatted(rows.size(), compared + numbers.compared()));
  }

  /** All filters are trusted; awaits that the client which lived through everything knows it. */
  private void routedAgain() throws InterruptedException {
    Scan scan = Question.of(Column.CODE, "nobody's").scan(Way.STRONG);
    long start = System.nanoTime();
    Set<String> met = new LinkedHashSet<>();
    RoutePlan plan = lookups.routed().routing().plan(TargetTable.NAME, scan).join();
    while (!plan.isPrecise() && System.nanoTime() - start < ROUTED_AGAIN_NANOS) {
      met.add(obstacles(plan));
      Thread.sleep(POLL_MILLIS);
      plan = lookups.routed().routing().plan(TargetTable.NAME, scan).join();
    }
    long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    longestUnrouted = Math.max(longestUnrouted, took);
    if (!plan.isPrecise()) {
      tally.wrong(Wrong.UNUSED, "the client routes nothing %d ms after: %s".formatted(took, met));
    } else if (!met.isEmpty()) {
      Log.line("routed again %d ms later, after %s".formatted(took, met));
    }
  }

  private static String obstacles(RoutePlan plan) {
    return plan.unrouted()
        .map(UnroutedReason::metricName)
        .orElseGet(() -> plan.parts().stream().flatMap(p -> p.openReason().stream()).toList() + "");
  }

  private void acknowledged(Map<String, Result> rows) {
    for (Map.Entry<String, Optional<String>> register : registers.settled().entrySet()) {
      Result row = rows.getOrDefault(register.getKey(), Result.EMPTY_RESULT);
      String shown = TargetTable.shown(row).get(Column.CODE);
      if (!Objects.equals(shown, register.getValue().orElse(null))) {
        tally.wrong(
            Wrong.LOST,
            "a plain scan shows code %s of row %s, and %s was acknowledged"
                .formatted(shown, register.getKey(), register.getValue()));
      }
    }
  }

  /** The rows that show each combination of values of the columns. */
  static Map<Question, Map<String, Result>> holders(
      List<Column> columns, Map<String, Result> rows) {
    Map<Question, Map<String, Result>> holders = new LinkedHashMap<>();
    rows.forEach(
        (key, row) ->
            Question.about(TargetTable.shown(row), columns)
                .ifPresent(
                    question ->
                        holders.computeIfAbsent(question, any -> new TreeMap<>()).put(key, row)));
    return holders;
  }

  private void questions(List<Column> columns, Map<String, Result> rows, int limit, Random random)
      throws IOException {
    Map<Question, Map<String, Result>> holders = holders(columns, rows);
    holders.put(Question.of(columns.get(0), "nobody's"), Map.of());
    List<Question> asked = new ArrayList<>(holders.keySet());
    Collections.shuffle(asked, random);
    for (Question question : asked.subList(0, Math.min(limit, asked.size()))) {
      for (Way way : Way.values()) {
        compare(way, question, holders.get(question));
      }
      numbers.count(question, holders.get(question).size());
    }
  }

  private void compare(Way way, Question question, Map<String, Result> expected)
      throws IOException {
    if (way == Way.PLAIN && question.values().containsKey(Column.CODE)) {
      // The scan of everything was just this.
      return;
    }
    compared++;
    Map<String, String> cells = new TreeMap<>();
    expected.forEach((key, row) -> cells.put(key, question.cells(way, row)));
    Map<String, String> found = lookups.find(way, question);
    if (found.equals(cells)) {
      return;
    }
    tally.wrong(
        found.keySet().containsAll(cells.keySet()) ? Wrong.INVENTED : Wrong.MISSED,
        "at rest, %s for %s found %s in place of %s".formatted(way, question, found, cells));
  }

  private void verify() throws IOException {
    lastCheck = IndexAdmin.of(lookups.routed()).verify(TargetTable.NAME, Progress.NONE);
    if (lastCheck.missing() > 0 || lastCheck.overstated() > 0) {
      tally.wrong(Wrong.UNCLEAN, "verify: " + lastCheck);
    }
  }

  /** Looks one by one where questions were sent, and what was done there. */
  private void use(Map<String, Result> rows, Random random) throws IOException {
    List<RegionInfo> regions;
    try (RegionLocator locator = lookups.routed().getRegionLocator(TargetTable.NAME)) {
      regions = locator.getAllRegionLocations().stream().map(HRegionLocation::getRegion).toList();
    }
    explain(List.of(Column.CODE), rows, regions, random, codes, USED_SHARE);
    explain(
        TargetTable.COMBINATION, rows, regions, random, combinations, USED_SHARE_BEHIND_MARKERS);
    explain(List.of(Column.MARK), rows, regions, random, partial, USED_SHARE_BEHIND_MARKERS);
  }

  /** Asks for what rows show in the columns, with no other columns than the index carries. */
  private void explain(
      List<Column> columns,
      Map<String, Result> rows,
      List<RegionInfo> regions,
      Random random,
      Use sum,
      double narrowShare)
      throws IOException {
    Map<Question, Map<String, Result>> holders = holders(columns, rows);
    List<Question> asked = new ArrayList<>(holders.keySet());
    Collections.shuffle(asked, random);
    Use use = new Use(sum.what, sum.index);
    for (Question question : asked.subList(0, Math.min(EXPLAINED, asked.size()))) {
      Set<String> keys = holders.get(question).keySet();
      long needed =
          regions.stream()
              .filter(one -> keys.stream().anyMatch(key -> one.containsRow(Bytes.toBytes(key))))
              .count();
      use.add(
          IndexAdmin.of(lookups.routed()).explain(TargetTable.NAME, question.scan(Way.COVERED)),
          needed);
    }
    sum.add(use);
    if (use.narrow < narrowShare * use.asked
        || use.jumped < USED_SHARE * use.asked
        || use.covered < USED_SHARE_BEHIND_MARKERS * use.coverable) {
      tally.wrong(Wrong.UNUSED, use.toString());
    }
  }

  /** What became of questions. */
  private static final class Use {
    private final String what;
    private final String index;
    private long asked;
    private long narrow;
    private long jumped;
    private long coverable;
    private long covered;
    private final Map<String, Integer> wide = new TreeMap<>();

    /**
     * @param index whose postings carry all that is asked for. A plan may have another one: to read
     *     one row can cost less than to read many postings
     */
    private Use(String what, String index) {
      this.what = what;
      this.index = index;
    }

    private void add(Explanation answer, long needed) {
      asked++;
      boolean exact = answer.route().isPrecise() && answer.route().candidates() == needed;
      narrow += exact ? 1 : 0;
      if (!exact) {
        wide.merge(why(answer.route(), needed), 1, Integer::sum);
      }
      jumped += answer.counted("scansJumped") > 0 ? 1 : 0;
      coverable +=
          answer.indexes().stream().anyMatch(one -> one.index().equals(index) && one.usedIn() > 0)
              ? 1
              : 0;
      covered += answer.counted("rowsFromPostings") > 0 ? 1 : 0;
    }

    private void add(Use other) {
      asked += other.asked;
      narrow += other.narrow;
      jumped += other.jumped;
      coverable += other.coverable;
      covered += other.covered;
      other.wide.forEach((why, times) -> wide.merge(why, times, Integer::sum));
    }

    private static String why(RouteFigures route, long needed) {
      return route
          .unrouted()
          .orElseGet(
              () ->
                  route.isPrecise()
                      ? "%d regions in place of %d".formatted(route.candidates(), needed)
                      : "open " + new TreeMap<>(route.openReasons()));
    }

    @Override
    public String toString() {
      return "%s: of %,d questions %,d went just to regions with such rows, by the filters, %,d jumped and %,d got rows from postings, of %,d by %s, by the regions' counters; the others went %s"
          .formatted(what, asked, narrow, jumped, covered, coverable, index, wide);
    }
  }

  /** What was compared and used, in sentences. */
  List<String> figures() throws IOException {
    return List.of(
        "%,d questions at rest, each compared with a plain scan of everything"
            .formatted(compared + numbers.compared()),
        codes.toString(),
        combinations.toString(),
        partial.toString(),
        "longest time until the oldest client was routed, when all filters were trusted: %,d ms"
            .formatted(longestUnrouted),
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
