/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.scale.virtual.CpuCosts.Call;
import io.hbaseindex.bench.scale.virtual.VirtualTime;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * What filters take at a region server and at the holder, by their own account and as the process
 * has it: the heap after a collection of garbage, and the direct buffers. Values that stand in
 * several rows take more, because the filter has to count them.
 */
final class FilterMemory {
  private static final int[] ROWS_PER_VALUE = {1, 2, 3};
  private static final int WARM_UP_VALUES = 10_000;
  private static final int COLLECTIONS = 3;
  private static final long COLLECTION_NANOS = 300_000_000;

  /** Virtual seconds by which all regions are published. */
  private static final long PUBLISHED_SECONDS = 30;

  private final ScaleSettings settings;

  FilterMemory(ScaleSettings settings) {
    this.settings = settings;
  }

  ScaleOutcome measure() {
    MarkdownTable table =
        new MarkdownTable(
            "rows per value",
            "server, by its account",
            "server, direct buffers",
            "server, heap",
            "holder, by its account",
            "holder, heap",
            "CPU ns per value to build",
            "longest push at the holder, ms");
    // What the virtual machine itself takes when this runs for the first time is not counted.
    int values = settings.values;
    settings.values = Math.min(values, WARM_UP_VALUES);
    figures(1);
    settings.values = values;
    for (int rows : ROWS_PER_VALUE) {
      System.err.printf("values in %d rows%n", rows);
      table.row(figures(rows));
    }
    String note =
        "Bytes per distinct value; %d regions of %,d values each, with the default error."
            .formatted(settings.allRegions(), settings.values);
    return new ScaleOutcome(table + "\n" + note, null, null, true);
  }

  private Object[] figures(int rows) {
    settings.rowsPerValue = rows;
    double values = (double) settings.allRegions() * settings.values;
    ScaleWorld world = new ScaleWorld(settings);
    HolderSet holders = new HolderSet(world);
    SimulatedServer server = new SimulatedServer(world, 0, holders);
    long heapEmpty = heap();
    long directEmpty = direct();
    server.openAll();
    double buildNanos = world.costs.totalNanos(Call.BUILD) / values;
    long heapFilled = heap();
    long directFilled = direct();
    server.speak();
    world.time.runUntil(PUBLISHED_SECONDS * VirtualTime.SECOND);
    if (holders.precise() < settings.allRegions()) {
      throw new IllegalStateException(
          "Cannot measure the memory of a holder: only %d of %d regions were precise after %d s"
              .formatted(holders.precise(), settings.allRegions(), PUBLISHED_SECONDS));
    }
    long heapPublished = heap();
    return new Object[] {
      rows,
      bytes(server.filterBytes() / values),
      bytes((directFilled - directEmpty) / values),
      bytes((heapFilled - heapEmpty) / values),
      bytes(holders.current(0).registry().filterBytes() / values),
      bytes((heapPublished - heapFilled) / values),
      String.format(Locale.ROOT, "%.0f", buildNanos),
      String.format(Locale.ROOT, "%.1f", world.costs.of(Call.APPLY).getMaxValue() / 1e6)
    };
  }

  private static String bytes(double perValue) {
    return String.format(Locale.ROOT, "%.2f", perValue);
  }

  private static long heap() {
    for (int collection = 0; collection < COLLECTIONS; collection++) {
      System.gc();
      // Direct buffers are given back by a thread of the virtual machine, after the collection.
      LockSupport.parkNanos(COLLECTION_NANOS);
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
