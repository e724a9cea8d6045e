/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.time;

import java.util.SplittableRandom;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Lengthens pauses by up to a quarter, each by another share, so that those who began to pause
 * together do not come back together. The shares follow from the seed alone.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class Jitter {
  private static final double MOST = 0.25;

  private final SplittableRandom random;

  /** The shares of one seed; whoever pauses takes its own name or number for it. */
  public Jitter(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A pause that is not shorter than the given one. */
  public synchronized long lengthen(long nanos) {
    return nanos + (long) (nanos * MOST * random.nextDouble());
  }
}
