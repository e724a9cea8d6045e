/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.CustomerRows;
import io.hbaseindex.bench.cluster.LogBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Lets all contenders do the same, one after the other, in an order that rotates from round to
 * round. The first round of everything only warms up.
 */
final class Comparison {
  /**
   * How much is done.
   *
   * @param rows rows of each table
   * @param regions regions of each table
   * @param rounds rounds that count
   * @param millis how long a contender is asked in one round
   * @param askers threads that ask
   * @param only parts of the names of what is measured beside the load; none for everything
   */
  record Extent(
      int rows, int regions, int rounds, long millis, List<Integer> askers, List<String> only) {
    boolean measures(String name) {
      return only.isEmpty() || only.stream().anyMatch(name::contains);
    }
  }

  static final String LOAD = "load";
  static final String UPDATE = "update of one row";
  static final String UPDATE_BATCHES = "update in batches";
  static final String MIXED = "mixed: an update, then a unique value";
  static final int WRITERS = 4;
  static final int MIXED_THREADS = 8;
  static final int BATCH = 1_000;

  private static final int COMPARED = 10;
  private static final int TRIES = 3;

  private final BenchCluster cluster;
  private final List<Contender> contenders;
  private final Extent extent;
  private final CustomerRows customers;
  private final Samples samples;
  private final Stopwatch watch;
  private final AtomicInteger numbers = new AtomicInteger();

  Comparison(BenchCluster cluster, List<Contender> contenders, Extent extent) {
    this.cluster = cluster;
    this.contenders = contenders;
    this.extent = extent;
    this.customers = new CustomerRows(extent.rows());
    this.samples = new Samples(contenders);
    this.watch = new Stopwatch(cluster);
  }

  Samples run() throws Exception {
    for (Contender contender : contenders) {
      contender.create(customers.splitKeys(extent.regions()));
    }
    load();
    for (Contender contender : contenders) {
      settle(contender);
    }
    agree("after the load");
    ask();
    update();
    agree("after the updates");
    return samples;
  }

  /** Somebody's turn in a round; the first round is not kept. */
  private interface Turn {
    void take(Contender contender, int round, boolean counts) throws Exception;
  }

  private void rounds(String what, Turn turn) throws Exception {
    System.out.printf("%n%s:", what);
    for (int round = 0; round <= extent.rounds(); round++) {
      for (int i = 0; i < contenders.size(); i++) {
        take(turn, contenders.get((i + round) % contenders.size()), round);
      }
    }
    for (Contender contender : contenders) {
      System.out.printf(
          " %s %,.1f/s;", contender.label(), samples.of(what, contender, Sample::perSecond));
    }
  }

  /** A turn in which somebody fails is taken once more, and counted as failed. */
  private void take(Turn turn, Contender contender, int round) throws Exception {
    for (int tries = 1; ; tries++) {
      try {
        turn.take(contender, round, round > 0);
        return;
      } catch (ExecutionException e) {
        if (tries == TRIES) {
          throw e;
        }
        System.out.printf("%s fails, once more: %s%n", contender.label(), e.getCause());
        samples.failed(contender);
      }
    }
  }

  /** Each round loads another part of the rows, spread over all regions. */
  private void load() throws Exception {
    int parts = extent.rounds() + 1;
    rounds(
        LOAD,
        (contender, round, counts) -> {
          try (LogBytes log = new LogBytes(regionsOf(contender))) {
            List<Long> part = new ArrayList<>();
            for (long number = round; number < extent.rows(); number += parts) {
              part.add(number);
            }
            Sample sample = write(contender, part, BATCH, customers::load);
            if (counts) {
              samples.add(LOAD, contender, sample);
              samples.logBytes(contender, (double) log.sum() / part.size());
            }
          }
        });
  }

  private List<HRegion> regionsOf(Contender contender) {
    return contender.tables().stream().flatMap(name -> cluster.regions(name).stream()).toList();
  }

  /** Waits until all is as it will be when nobody writes, and notes how long that took. */
  private void settle(Contender contender) throws Exception {
    long began = System.nanoTime();
    contender.settle();
    samples.settled(contender, (System.nanoTime() - began) / 1e9);
    long bytes = 0;
    for (var name : contender.tables()) {
      cluster.flush(name);
    }
    for (HRegion region : regionsOf(contender)) {
      bytes += region.getStores().stream().mapToLong(store -> store.getStorefilesSize()).sum();
    }
    samples.diskBytes(contender, (double) bytes / extent.rows());
    contender.settle();
    samples.filterBytes(contender, (double) contender.filterBytes() / extent.rows());
  }

  private Sample write(Contender contender, List<Long> rows, int batch, LongFunction<Put> put)
      throws Exception {
    return watch.time(
        contender,
        WRITERS,
        (thread, session, latency) -> {
          for (int from = thread * batch; from < rows.size(); from += WRITERS * batch) {
            List<Put> puts =
                rows.subList(from, Math.min(from + batch, rows.size())).stream()
                    .map(put::apply)
                    .toList();
            Stopwatch.step(
                latency,
                () -> {
                  session.write(puts);
                  return puts.size();
                });
          }
          return rows.size();
        });
  }

  private void ask() throws Exception {
    for (CustomerQuestion question : CustomerQuestion.values()) {
      for (int askers : extent.askers()) {
        String name = Samples.nameOf(question, askers);
        if (extent.measures(name)) {
          rounds(
              name,
              (contender, round, counts) ->
                  keep(counts, name, contender, ask(contender, question, askers)));
        }
      }
    }
  }

  private Sample ask(Contender contender, CustomerQuestion question, int askers) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(extent.millis());
    return watch.time(
        contender,
        askers,
        (thread, session, latency) -> {
          long rows = 0;
          do {
            int number = numbers.incrementAndGet();
            rows += Stopwatch.step(latency, () -> session.ask(question, number));
          } while (System.nanoTime() - deadline < 0);
          return rows;
        });
  }

  private void update() throws Exception {
    int some = extent.rows() / 10;
    if (extent.measures(UPDATE_BATCHES)) {
      rounds(
          UPDATE_BATCHES,
          (contender, round, counts) ->
              keep(
                  counts,
                  UPDATE_BATCHES,
                  contender,
                  write(contender, numbers(some, round), BATCH, moved(round))));
    }
    if (extent.measures(UPDATE)) {
      rounds(
          UPDATE,
          (contender, round, counts) ->
              keep(
                  counts,
                  UPDATE,
                  contender,
                  write(contender, numbers(some / 20, round), 1, moved(~round))));
    }
    for (Contender contender : contenders) {
      contender.settle();
    }
    if (extent.measures(MIXED)) {
      rounds(
          MIXED,
          (contender, round, counts) -> keep(counts, MIXED, contender, mixed(contender, round)));
    }
  }

  private void keep(boolean counts, String name, Contender contender, Sample sample) {
    if (counts) {
      samples.add(name, contender, sample);
    }
  }

  /** The same rows for all contenders of a round, and others in the next one. */
  private List<Long> numbers(int count, int round) {
    List<Long> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(Math.floorMod((i * 7L + round) * 10_007L, (long) extent.rows()));
    }
    return chosen;
  }

  /** Customers that move to a city which depends on the round. */
  private LongFunction<Put> moved(int round) {
    return number ->
        new Put(CustomerRows.key(number))
            .addColumn(
                CustomerRows.FAMILY,
                CustomerRows.CITY,
                CustomerRows.city(Math.floorMod(number * 131 + round * 17L, CustomerRows.CITIES)));
  }

  /**
   * Pairs for as long as a turn lasts. What is left of the updates then is written without being
   * timed, so that all tables stay alike.
   */
  private Sample mixed(Contender contender, int round) throws Exception {
    List<Long> rows = numbers(extent.rows() / 100, round);
    LongFunction<Put> put = moved(100 + round);
    AtomicInteger next = new AtomicInteger();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(extent.millis());
    Sample sample =
        watch.time(
            contender,
            MIXED_THREADS,
            (thread, session, latency) -> {
              long found = 0;
              while (System.nanoTime() - deadline < 0) {
                int i = next.getAndIncrement();
                Put update = put.apply(rows.get(i % rows.size()));
                found += pair(session, latency, update, rows.get(i % rows.size()).intValue());
              }
              return found;
            });
    if (next.get() < rows.size()) {
      List<Long> rest = rows.subList(next.get(), rows.size());
      try (Contender.Session session = contender.open()) {
        session.write(rest.stream().map(put::apply).toList());
      }
    }
    return sample;
  }

  private static long pair(Contender.Session session, Histogram latency, Put put, int number)
      throws Exception {
    return Stopwatch.step(
        latency,
        () -> {
          session.write(List.of(put));
          return session.ask(CustomerQuestion.UNIQUE, number);
        });
  }

  /** All contenders must give the same answers. */
  private void agree(String when) throws Exception {
    for (CustomerQuestion question : CustomerQuestion.values()) {
      for (int i = 0; i < COMPARED; i++) {
        int number = numbers.incrementAndGet();
        Set<String> expected = null;
        for (Contender contender : contenders) {
          Set<String> found = answer(contender, question, number);
          if (expected != null && !expected.equals(found)) {
            throw new IllegalStateException(
                "Cannot compare: %s, %s finds %d rows for %s %s, and %s finds %d"
                    .formatted(
                        when,
                        contender.label(),
                        found.size(),
                        question,
                        question.values(number, extent.rows()),
                        contenders.get(0).label(),
                        expected.size()));
          }
          expected = expected == null ? found : expected;
        }
      }
    }
  }

  private static Set<String> answer(Contender contender, CustomerQuestion question, int number)
      throws Exception {
    try (Contender.Session session = contender.open()) {
      return question.isCount()
          ? Set.of("count " + session.ask(question, number))
          : session.keys(question, number);
    }
  }
}
