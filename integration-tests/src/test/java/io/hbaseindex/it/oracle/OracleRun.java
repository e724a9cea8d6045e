/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.Findings;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.PostingOracle;
import io.hbaseindex.it.oracle.RegionChaos.Event;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One seed: bursts of random writes, each with a region event beside or behind it, and after each
 * burst every kind of query, answered by the index and by the plain scan.
 *
 * <p>Two bursts of three await the index first and count whether it was used; in the others queries
 * meet regions that are still building. After every fourth burst postings are compared with rows.
 * The seed decides every call; server time and the speed of region events are the machine's own.
 */
final class OracleRun {

  /** A query that meets expiring values is asked again until the plain answer stands still. */
  private static final int TRIES_WHILE_VALUES_EXPIRE = 30;

  private static final int BURSTS_PER_SETTLING = 12;

  /** No divisor of three, so that regions are also checked while they build. */
  private static final int BURSTS_PER_CHECK = 4;

  private final TableName name;
  private final OraclePlan plan;
  private final Universe universe = Universe.large();
  private final IndexProbe index;
  private final PostingOracle postings;
  private final StoredCells stored;
  private final Set<Integer> expiring = new HashSet<>();
  private final Table table;
  private final Workload workload;
  private final Queries queries;
  private final RegionChaos chaos;
  private final Crashes crashes;
  private final List<Event> events;
  private final SplittableRandom random;
  private final History history = new History();
  private final OracleTally tally;
  private final Aggregates aggregates;
  private final Stopwatch stopwatch = new Stopwatch();
  private int aborts;

  /**
   * @param crashes what this run shares with the others; it has joined
   * @param tally for the answers to this run and to the others
   */
  OracleRun(
      TestCluster cluster,
      TableName name,
      OraclePlan plan,
      Crashes crashes,
      OracleTally tally,
      long seed)
      throws IOException {
    this.tally = tally;
    this.name = name;
    this.crashes = crashes;
    this.plan = plan;
    this.random = new SplittableRandom(seed);
    this.index = new IndexProbe(cluster, name);
    this.postings = new PostingOracle(cluster, name);
    this.stored = new StoredCells(cluster, name);
    for (String expires : OracleTable.EXPIRING) {
      expiring.add(index.index(expires).id());
    }
    this.table = cluster.connection().getTable(name);
    this.workload = new Workload(universe, System.currentTimeMillis(), random.split());
    this.queries = new Queries(universe, random.split());
    this.chaos = new RegionChaos(cluster, name, universe, random.split());
    this.events = plan.events(random.split());
    this.aggregates =
        new Aggregates(cluster.connection(), name, universe, random.split(), history, tally);
  }

  void run() throws IOException, InterruptedException {
    for (int burst = 0; burst < events.size(); burst++) {
      boolean awaited = burst % 3 != 0;
      stopwatch.start("write");
      write(events.get(burst), random.nextBoolean());
      if (awaited) {
        stopwatch.start("await ready");
        index.awaitReady();
      }
      stopwatch.start("query");
      for (QueryShape shape : QueryShape.values()) {
        compare(queries.next(shape), awaited, (burst + shape.ordinal()) % 2 == 0);
      }
      stopwatch.start("aggregate");
      aggregates.compare(awaited);
      if (burst % OraclePlan.BURSTS_PER_MID_SCAN_EVENT == 1) {
        stopwatch.start("query across event");
        compareAcrossAnEvent();
        index.awaitReady();
      }
      if (burst % BURSTS_PER_CHECK == 0) {
        stopwatch.start("check");
        check(awaited);
      }
      if (burst % BURSTS_PER_SETTLING == BURSTS_PER_SETTLING - 1) {
        stopwatch.start("settle");
        requireNoneMissing(index.settle(expiring));
      }
    }
    stopwatch.start("settle");
    requireNoneMissing(index.settle(expiring));
    stopwatch.start("sweep");
    sweep();
    stopwatch.stop();
    requireWholePlan();
  }

  /** So that a plan cut short cannot pass for one carried out. */
  private void requireWholePlan() {
    int regionEvents = history.events() - aborts;
    if (history.operations() < plan.operations()
        || regionEvents < plan.regionEvents()
        || aborts < plan.serverAborts()) {
      throw new AssertionError(
          "The run had %d operations, %d region events and %d aborts instead of %s"
              .formatted(history.operations(), regionEvents, aborts, plan));
    }
  }

  /** A line for the log. */
  String summary() {
    return "%d operations, %d region events, %d aborts; seconds: %s"
        .formatted(history.operations(), history.events() - aborts, aborts, stopwatch);
  }

  private void write(Event event, boolean beside) throws IOException, InterruptedException {
    if (event == Event.SERVER_ABORT) {
      writeAroundCrash();
      return;
    }
    FutureTask<Event> happening = new FutureTask<>(() -> chaos.happen(event));
    Thread thread = new Thread(happening, "oracle-" + event);
    thread.setDaemon(true);
    if (beside) {
      thread.start();
    }
    writeBurst();
    if (!beside) {
      thread.start();
    }
    stopwatch.start(event.name());
    history.addEvent(finished(happening) + (beside ? " beside the writes" : " after the writes"));
  }

  /** Crashes strike during the writes and after them in turn, for all runs alike. */
  private void writeAroundCrash() throws IOException, InterruptedException {
    boolean beside = aborts++ % 2 == 0;
    FutureTask<ServerName> crash;
    if (beside) {
      crash = nextCrash();
      stopwatch.start("write");
      writeBurst();
    } else {
      writeBurst();
      crash = nextCrash();
    }
    stopwatch.start("crash");
    history.addEvent(
        "abort of " + finished(crash) + (beside ? " beside the writes" : " after the writes"));
  }

  private FutureTask<ServerName> nextCrash() throws IOException, InterruptedException {
    stopwatch.start("other runs");
    return crashes.next();
  }

  private void writeBurst() throws IOException, InterruptedException {
    int until = history.operations() + plan.operationsPerBurst();
    while (history.operations() < until) {
      Step step = workload.next();
      history.add(step);
      step.call().on(table);
    }
  }

  private static <T> T finished(FutureTask<T> happening) throws IOException, InterruptedException {
    try {
      return happening.get(2 * Waits.HANG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("An event failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("An event hangs", e);
    }
  }

  /**
   * Asks both ways.
   *
   * @param awaited whether all indexes are ready
   * @param counted whether the rows are also to be counted by the regions
   */
  private void compare(Query query, boolean awaited, boolean counted) throws IOException {
    Answer indexed = awaited ? watched(query) : Answer.of(table, new Scan(query.scan()));
    indexed.requireNoIndexCells();
    Answer plain = Answer.of(table, IndexProbe.withoutIndex(query.scan()));
    if (!indexed.equals(plain) || counted && countedRows(query, awaited) != plain.rows()) {
      compareWhileValuesExpire(query);
    }
  }

  private long countedRows(Query query, boolean awaited) throws IOException {
    return tally.rows().count(table, query.scan(), awaited && query.shape().eligible());
  }

  /** The answer of indexes that are ready; it is noted whether they were used. */
  private Answer watched(Query query) throws IOException {
    IndexCounters before = IndexCounters.of(name);
    Answer answer = Answer.of(table, new Scan(query.scan()));
    IndexCounters counted = IndexCounters.of(name).since(before);
    tally
        .jumps()
        .add(
            query.shape(),
            counted.get(IndexCounter.SCANS_JUMPED) > 0
                && counted.get(IndexCounter.SCANS_PLAIN) == 0);
    if (query.shape() == QueryShape.COVERED) {
      tally.rows().covered(counted);
    }
    return answer;
  }

  private void compareWhileValuesExpire(Query query) throws IOException {
    for (int attempt = 0; attempt < TRIES_WHILE_VALUES_EXPIRE; attempt++) {
      Answer before = Answer.of(table, IndexProbe.withoutIndex(query.scan()));
      Answer indexed = Answer.of(table, new Scan(query.scan()));
      long rows = tally.rows().count(table, query.scan(), false);
      Answer after = Answer.of(table, IndexProbe.withoutIndex(query.scan()));
      if (before.equals(after)) {
        if (!indexed.equals(before)) {
          throw new AssertionError(difference(query, before, indexed));
        }
        if (rows != before.rows()) {
          throw new AssertionError(
              "After %d operations the index counted %d rows, the plain scan %s to %s%n%s"
                  .formatted(history.operations(), rows, before, query, history.eventLog()));
        }
        return;
      }
    }
    throw new AssertionError("The plain scan never gave the same answer twice: " + query);
  }

  /** Reads a few rows, lets a region move, flush or split, and reads on. */
  private void compareAcrossAnEvent() throws IOException {
    Query query = queries.next(QueryShape.IN);
    Scan scan = new Scan(query.scan()).setCaching(1);
    Event[] harmless = {Event.FLUSH, Event.MOVE, Event.MAJOR_COMPACTION, Event.SPLIT};
    Event event = harmless[random.nextInt(harmless.length)];
    for (int attempt = 0; attempt < TRIES_WHILE_VALUES_EXPIRE; attempt++) {
      Answer before = Answer.of(table, IndexProbe.withoutIndex(scan));
      Answer indexed;
      try (ResultScanner scanner = table.getScanner(scan)) {
        indexed = Answer.begin(scanner, 1 + random.nextInt(3));
        history.addEvent(chaos.happen(event) + " in mid-scan");
        indexed = indexed.andThen(Answer.collect(scanner, scan));
      }
      Answer after = Answer.of(table, IndexProbe.withoutIndex(scan));
      if (before.equals(after)) {
        if (!indexed.equals(before)) {
          throw new AssertionError("In mid-scan: " + difference(query, before, indexed));
        }
        return;
      }
    }
    throw new AssertionError("The plain scan never gave the same answer twice: " + query);
  }

  private void check(boolean awaited) throws IOException {
    if (awaited) {
      requirePosted();
    }
    requireNoneMissing(index.check());
  }

  /** A second look tells a posting that is not there from one that was looked for too early. */
  private void requireNoneMissing(Findings findings) throws IOException {
    if (!findings.overstated().isEmpty()) {
      byte[] row = findings.overstated().get(0).getRow().toByteArray();
      byte[] posting = findings.overstated().get(0).getIndexRow().toByteArray();
      throw new AssertionError(
          "After %d operations a posting of row %s is certain and should not be: %s%n%s%s%s"
              .formatted(
                  history.operations(),
                  Bytes.toStringBinary(row),
                  findings.overstated(),
                  stored.of(row, row) + stored.of(posting, row),
                  history.of(row),
                  history.eventLog()));
    }
    if (!findings.missing().isEmpty()) {
      byte[] row = findings.missing().get(0).getRow().toByteArray();
      byte[] posting = findings.missing().get(0).getIndexRow().toByteArray();
      String cells = stored.of(row, row) + stored.of(posting, row);
      int stillMissing = index.check().missing().size();
      String rows =
          findings.missing().stream()
              .map(fault -> history.of(fault.getRow().toByteArray()))
              .distinct()
              .limit(3)
              .collect(Collectors.joining());
      throw new AssertionError(
          "After %d operations index %d lacks a posting of row %s (%d still missing at a second look); the checker found %s%n%s%s%s"
              .formatted(
                  history.operations(),
                  findings.missing().get(0).getIndexId(),
                  Bytes.toStringBinary(row),
                  stillMissing,
                  findings,
                  cells,
                  rows,
                  history.eventLog()));
    }
  }

  private void requirePosted() throws IOException {
    List<PostingOracle.Unposted> unposted = postings.unposted();
    if (!unposted.isEmpty()) {
      throw new AssertionError(
          "After %d operations rows lack postings: %s%n%s%s"
              .formatted(
                  history.operations(),
                  unposted,
                  history.of(unposted.get(0).row()),
                  history.eventLog()));
    }
  }

  /** Asks for every value of every column. */
  private void sweep() throws IOException {
    for (Column column : Column.values()) {
      for (byte[] value : universe.values(column)) {
        compare(queries.equal(column, value), false, false);
      }
    }
  }

  private String difference(Query query, Answer plain, Answer indexed) {
    StringBuilder text =
        new StringBuilder(
            "After %d operations the index answered %s, the plain scan %s to %s%n"
                .formatted(history.operations(), indexed, plain, query));
    List<byte[]> rows = new ArrayList<>(plain.rowsThatDiffer(indexed));
    for (byte[] row : rows.subList(0, Math.min(3, rows.size()))) {
      text.append(plain.hasRow(row) ? "MISSED " : "INVENTED ").append(history.of(row));
    }
    rows.forEach(row -> text.append(Bytes.toStringBinary(row)).append(' '));
    return text.append('\n').append(history.eventLog()).toString();
  }
}
