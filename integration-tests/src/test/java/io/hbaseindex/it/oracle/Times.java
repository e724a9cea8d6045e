/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.util.SplittableRandom;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Timestamps of mutations: mostly the server's own, else a client's in the past, in the future, or
 * one used before.
 *
 * <p>A row either lives by server time or by a short span of client times, or mixes both; without
 * the second kind equal timestamps would be rare, without the first a future write would freeze
 * every row.
 */
final class Times {

  private static final int SPAN = 12;
  private static final long FUTURE = 3_000;
  private static final long PAST = 20_000;

  private final long base;
  private final SplittableRandom random;

  Times(long base, SplittableRandom random) {
    this.base = base;
    this.random = random;
  }

  long next(byte[] row) {
    switch (Math.floorMod(Bytes.hashCode(row), 3)) {
      case 0:
        return HConstants.LATEST_TIMESTAMP;
      case 1:
        return clientTime();
      default:
        return random.nextInt(4) == 0 ? anyTime() : HConstants.LATEST_TIMESTAMP;
    }
  }

  /** An explicit time for the kinds of delete that need one. */
  long explicit(byte[] row) {
    long time = next(row);
    return time == HConstants.LATEST_TIMESTAMP ? anyTime() : time;
  }

  private long clientTime() {
    return base + random.nextInt(SPAN);
  }

  private long anyTime() {
    return switch (random.nextInt(3)) {
      case 0 -> clientTime();
      case 1 -> System.currentTimeMillis() + random.nextLong(FUTURE);
      default -> System.currentTimeMillis() - random.nextLong(PAST);
    };
  }
}
