/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import java.util.function.BooleanSupplier;

/**
 * Notices that a region's writes are no longer told to its filter. A region that is being given its
 * first observer may look as if they were not yet; so they must have been before.
 */
final class FeedWatch implements Runnable {
  private final BooleanSupplier fed;
  private final Runnable starved;
  private boolean seen;
  private boolean over;

  /**
   * @param starved told once
   */
  FeedWatch(BooleanSupplier fed, Runnable starved) {
    this.fed = fed;
    this.starved = starved;
  }

  @Override
  public void run() {
    if (over) {
      return;
    }
    if (fed.getAsBoolean()) {
      seen = true;
    } else if (seen) {
      over = true;
      starved.run();
    }
  }
}
