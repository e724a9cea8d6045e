/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;

/**
 * Writes, changes and deletes rows of its own, and has a reader look for each, through routing and
 * with another client, as soon as the write is acknowledged.
 *
 * <p>Nobody else writes these rows, so what the reader must find is known exactly. A write that
 * failed may or may not have happened: its row is left alone from then on.
 */
final class ChaosWriter implements Runnable {
  private static final int CITIES = 40;

  private record Person(String row, String email, String city) {}

  private final ChaosTable table;
  private final ChaosTally tally;
  private final ExecutorService reader;
  private final String name;
  private final SplittableRandom random;
  private final List<Person> people = new ArrayList<>();
  private int written;
  private volatile boolean stopped;

  ChaosWriter(
      ChaosTable table,
      ChaosTally tally,
      ExecutorService reader,
      String name,
      SplittableRandom random) {
    this.table = table;
    this.tally = tally;
    this.reader = reader;
    this.name = name;
    this.random = random;
  }

  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    stopped = false;
    while (!stopped && !tally.hasMisses()) {
      try {
        step();
      } catch (InterruptedException e) {
        return;
      } catch (ExecutionException e) {
        tally.missed("A reader failed: " + e.getCause());
      }
    }
  }

  private void step() throws InterruptedException, ExecutionException {
    int dice = random.nextInt(100);
    if (people.isEmpty() || dice < 60) {
      String row = (char) ('a' + random.nextInt(26)) + "" + random.nextInt(10) + name + written;
      write(new Person(row, "", ""));
    } else {
      Person person = people.remove(random.nextInt(people.size()));
      if (dice < 85) {
        write(person);
      } else {
        delete(person);
      }
    }
  }

  private void write(Person before) throws InterruptedException, ExecutionException {
    String email = name + written++ + "@example.org";
    Person after = new Person(before.row(), email, city());
    if (happened(() -> table.put(after.row(), after.email(), after.city()))) {
      people.add(after);
      look(before, after);
    }
  }

  private void delete(Person person) throws InterruptedException, ExecutionException {
    if (happened(() -> table.delete(person.row()))) {
      look(person, null);
    }
  }

  /** Half of all people live in the first city, half of the others in the second, and so on. */
  private String city() {
    int number = Long.numberOfTrailingZeros(random.nextLong() | 1L << 20);
    return "city" + (number < 20 ? number : random.nextInt(CITIES));
  }

  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }

  private boolean happened(Write write) {
    long began = System.nanoTime();
    try {
      write.run();
    } catch (IOException e) {
      tally.writeFailed();
      return false;
    }
    tally.written(System.nanoTime() - began);
    return true;
  }

  private void look(Person before, Person after) throws InterruptedException, ExecutionException {
    reader
        .submit(
            () -> {
              if (after != null) {
                expect(ChaosTable.UNIQUE, after.email(), Set.of(after.row()));
                expectSkewed(after.row(), after.city(), true);
              }
              if (!before.email().isEmpty()) {
                expect(ChaosTable.UNIQUE, before.email(), Set.of());
                if (after == null || !after.city().equals(before.city())) {
                  expectSkewed(before.row(), before.city(), false);
                }
              }
              return null;
            })
        .get();
  }

  private void expect(String column, String value, Set<String> rows) throws Exception {
    Set<String> found = persistently(() -> table.find(column, value));
    if (!found.equals(rows)) {
      report("%s = %s gave %s instead of %s".formatted(column, value, found, rows), column, value);
    }
  }

  private void expectSkewed(String row, String city, boolean there) throws Exception {
    if (persistently(() -> table.has(row, ChaosTable.SKEWED, city)) != there) {
      report(
          "%s = %s %s row %s"
              .formatted(ChaosTable.SKEWED, city, there ? "missed" : "invented", row),
          ChaosTable.SKEWED,
          city);
    }
  }

  /** HBase itself may fail a read while servers come and go; then it is asked again. */
  private <T> T persistently(Callable<T> read) throws Exception {
    long limit = System.nanoTime() + Waits.HANG.toNanos();
    while (true) {
      try {
        T found = read.call();
        tally.read();
        return found;
      } catch (IOException | RuntimeException e) {
        tally.readFailed();
        if (System.nanoTime() - limit > 0) {
          throw e;
        }
      }
    }
  }

  private void report(String what, String column, String value) throws IOException {
    Optional<RoutePlan> route = table.route(column, value);
    tally.missed(
        "%s; now the route is %s, routing finds %s, all regions have %s"
            .formatted(
                what, route, table.find(column, value), table.findEverywhere(column, value)));
  }

  /** Looks for all rows of this writer once more. */
  void lookForAll() throws Exception {
    for (Person person : people) {
      expect(ChaosTable.UNIQUE, person.email(), Set.of(person.row()));
    }
  }
}
