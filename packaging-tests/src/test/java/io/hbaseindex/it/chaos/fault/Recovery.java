/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.fault;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import io.hbaseindex.client.admin.status.TableStates;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.load.Gate;
import io.hbaseindex.it.chaos.load.Log;
import io.hbaseindex.it.chaos.load.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/** Waits until every region answers, its indexes are ready and the master trusts its filter. */
public final class Recovery {
  /** HBase alone may take minutes to get over some faults. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private static final long POLL_MILLIS = 500;

  /** A server that a fault made end may do so late. */
  private static final long REVIVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Connection connection;
  private final Gate gate;
  private final Tally tally;

  /**
   * @param gate what is done to the table goes through it
   */
  public Recovery(Connection connection, Gate gate, Tally tally) {
    this.connection = connection;
    this.gate = gate;
    this.tally = tally;
  }

  /**
   * Waits, and notes how long it took. The table is changed meanwhile, and a region that was
   * reopened a moment ago is not stuck; so in the end it is left alone and given the time again.
   *
   * @param kind what it is to recover from
   * @param revive starts servers that have ended; called again and again
   */
  public void await(String kind, Gate.Work revive) throws Exception {
    long start = System.nanoTime();
    AtomicReference<String> lacking = new AtomicReference<>(lackingAtLast(revive));
    if (!lacking.get().isEmpty()) {
      Log.line("not precise %d s after %s: %s".formatted(seconds(start), kind, lacking));
      gate.atRest(() -> lacking.set(lackingAtLast(revive)));
    }
    if (!lacking.get().isEmpty()) {
      tally.wrong(
          Tally.Wrong.STUCK,
          "not precise %d s after %s, left alone for %d s: %s"
              .formatted(seconds(start), kind, LIMIT.toSeconds(), lacking));
      return;
    }
    long took = System.nanoTime() - start;
    tally.precise(kind, took);
    Log.line("precise %d ms after %s".formatted(TimeUnit.NANOSECONDS.toMillis(took), kind));
  }

  private static long seconds(long sinceNanos) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - sinceNanos);
  }

  /** What is still lacking when the time is over; empty as soon as nothing is. */
  private String lackingAtLast(Gate.Work revive) throws Exception {
    long start = System.nanoTime();
    long revived = start;
    String lacking = lacking();
    while (!lacking.isEmpty() && System.nanoTime() - start < LIMIT.toNanos()) {
      if (System.nanoTime() - revived > REVIVE_NANOS) {
        revive.run();
        revived = System.nanoTime();
      }
      Thread.sleep(POLL_MILLIS);
      lacking = lacking();
    }
    return lacking;
  }

  /** What is not as it should be; empty if nothing. */
  private String lacking() {
    try (Admin admin = connection.getAdmin()) {
      TableStates states = IndexAdmin.of(connection).states(TargetTable.NAME);
      if (!states.isReady()) {
        return "indexes: " + states.reasons();
      }
      int indexes = states.indexes().size();
      Set<String> precise =
          IndexAdmin.of(connection).routing(TargetTable.NAME).regions().stream()
              .filter(region -> region.isPrecise() && region.coveredIndexes().size() == indexes)
              .map(RegionFilterState::encodedName)
              .collect(Collectors.toSet());
      List<String> open =
          admin.getRegions(TargetTable.NAME).stream()
              .map(RegionInfo::getEncodedName)
              .filter(name -> !precise.contains(name))
              .toList();
      return open.isEmpty() ? "" : "open filters: " + open;
    } catch (IOException | RuntimeException e) {
      return "no answer: " + e;
    }
  }
}
