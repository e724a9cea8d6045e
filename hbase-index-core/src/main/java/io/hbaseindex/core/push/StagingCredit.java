/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How much of its whole filters a server may send with its next push. A holder hands credits to a
 * few servers at a time, so that not all of them send whole filters at once when it is new.
 *
 * @param bytes bytes of parts that the next push may carry; 0 for none
 * @param askAfterNanos if there are none, how long to wait before asking again
 */
@InterfaceAudience.Private
public record StagingCredit(long bytes, long askAfterNanos) {
  /** No credit, for a server that has asked for none. */
  public static final StagingCredit NONE = new StagingCredit(0, 0);
}
