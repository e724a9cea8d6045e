/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** What writers and readers have come across; for all threads. */
final class ChaosTally {
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong failedWrites = new AtomicLong();
  private final AtomicLong longestWrite = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong failedReads = new AtomicLong();
  private final List<String> misses = new CopyOnWriteArrayList<>();

  void written(long nanos) {
    writes.incrementAndGet();
    longestWrite.accumulateAndGet(nanos, Math::max);
  }

  void writeFailed() {
    failedWrites.incrementAndGet();
  }

  void read() {
    reads.incrementAndGet();
  }

  void readFailed() {
    failedReads.incrementAndGet();
  }

  /** A row was not found, or found where it is not. */
  void missed(String what) {
    misses.add(what);
  }

  boolean hasMisses() {
    return !misses.isEmpty();
  }

  List<String> misses() {
    return misses;
  }

  long writes() {
    return writes.get();
  }

  @Override
  public String toString() {
    return "%d writes (%d failed, longest %.2f s, recovery by HBase included), %d routed reads (%d asked again)"
        .formatted(
            writes.get(),
            failedWrites.get(),
            longestWrite.get() / 1e9,
            reads.get(),
            failedReads.get());
  }
}
