/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.route.RouteAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last part of a run, when all faults are over: rows with values that nobody else has are
 * written and deleted. Their values have to leave the filters again. By the error of a filter a few
 * may seem to stay; of no set of columns may most of them. Filters that were written to while they
 * were built say so, and are not judged.
 */
final class Farewell {
  private static final int ROWS = 24;
  private static final int FEWEST = 8;
  private static final int FIRST_VALUE = 10_000;
  private static final long LEASE = SimWorld.TERMS.leaseNanos();

  private record Gone(int row, SimRow values) {}

  private final SimWorld world;
  private final SimHBase hbase;

  Farewell(SimWorld world, SimHBase hbase) {
    this.world = world;
    this.hbase = hbase;
  }

  void check() {
    List<Gone> gone = new ArrayList<>();
    for (int number = 0; number < ROWS; number++) {
      int row = world.random.nextInt(SimRegion.KEYS);
      int[] values = {FIRST_VALUE + number, 2 * FIRST_VALUE + number};
      if (isWritten(row, values) && isWritten(row, SimRow.deleted(0, SimWorld.COLUMNS).values())) {
        gone.add(new Gone(row, new SimRow(0, values)));
      }
    }
    pass(LEASE);
    for (SimIndex index : world.indexes) {
      index.sets().forEach(set -> requireForgotten(set, gone));
    }
  }

  /** Whether a row was written, once and with success. */
  private boolean isWritten(int row, int[] values) {
    SimHost host = hbase.hostOf(row);
    if (host == null) {
      return false;
    }
    host.server()
        .run(
            () -> {
              host.write(row, values);
              host.server().wake();
            });
    long until = world.time.now() + 2 * LEASE;
    do {
      world.time.step();
    } while (!host.isIdle() && world.time.now() < until);
    SimRow written = host.region.written.get(row);
    return written != null && written.values() == values && world.oracle.isCertain(row, written);
  }

  private void pass(long nanos) {
    long until = world.time.now() + nanos;
    while (world.time.now() < until) {
      world.time.step();
    }
  }

  private void requireForgotten(SimIndex.Set set, List<Gone> gone) {
    Map<Boolean, Integer> held = new HashMap<>();
    for (Gone one : gone) {
      SimHost host = hbase.hostOf(one.row());
      if (host != null && host.countsExactly()) {
        judged(world.routeNow(set, one.values()), one.row())
            .ifPresent(verdict -> held.merge(verdict, 1, Integer::sum));
      }
    }
    int stayed = held.getOrDefault(true, 0);
    int left = held.getOrDefault(false, 0);
    if (stayed + left >= FEWEST && stayed > left) {
      throw new SimViolation(
          SimViolation.Law.WHAT_HAS_GONE_IS_FORGOTTEN,
          "of %s, %d values that no row has are still held, and %d are not"
              .formatted(set, stayed, left));
    }
  }

  /** Whether a filter says that a row's region may hold the values; empty if none was asked. */
  private static Optional<Boolean> judged(RouteAnswer answer, int row) {
    byte[] key = SimRegion.key(row);
    for (RouteAnswer.Candidate candidate : answer.candidates()) {
      if (candidate.range().contains(key)) {
        return candidate.open() == null ? Optional.of(true) : Optional.empty();
      }
    }
    return Optional.of(false);
  }
}
