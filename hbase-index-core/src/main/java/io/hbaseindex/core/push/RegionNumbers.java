/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A source of numbers for the regions of one region server. No number is given twice while the
 * server's process lives. A publisher may end and another one begin under the same server name,
 * while the master still knows regions of the first and messages about them are still under way. A
 * number that was used again would mix up two regions.
 */
@InterfaceAudience.Private
public final class RegionNumbers {
  private final AtomicInteger last;

  /**
   * Numbers from a given one on. Code that is loaded twice into one process, as HBase does with
   * coprocessors that a table names by their jar, should not count from the same one.
   */
  public RegionNumbers(int after) {
    last = new AtomicInteger(after);
  }

  /** A number that was never given before. */
  public int next() {
    return last.incrementAndGet();
  }
}
