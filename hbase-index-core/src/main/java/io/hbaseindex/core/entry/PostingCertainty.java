/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import java.nio.ByteBuffer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Until when a live posting answers for its row: as long as it is <em>certain</em>, an ordinary
 * scan shows exactly the posting's values in the row, and the row need not be read. Every other
 * live posting only names a row that is to be asked.
 *
 * <p>The value of a live posting's cell:
 *
 * <pre>
 *   11                     never certain
 *   12                     certain until the posting is written again
 *   12 | int64 (8 bytes)   likewise, but no longer than up to this time, in ms since 1970
 *   13 | int64 | ...       likewise, with the cells of the row: see {@link CarriedCells}
 * </pre>
 */
@InterfaceAudience.Private
public final class PostingCertainty {
  /** The row is to be asked. */
  public static final long NEVER = Long.MIN_VALUE;

  /** No time ends it. */
  public static final long UNTIL_WRITTEN = Long.MAX_VALUE;

  private static final byte CERTAIN = 0x12;
  private static final int LENGTH_WITH_TIME = 1 + Long.BYTES;

  private PostingCertainty() {}

  /** The value of a live posting that is certain up to a time, inclusive. */
  public static byte[] live(long certainUntil) {
    if (certainUntil == NEVER) {
      return new byte[] {PostingState.LIVE.code()};
    }
    return certainUntil == UNTIL_WRITTEN
        ? new byte[] {CERTAIN}
        : ByteBuffer.allocate(LENGTH_WITH_TIME).put(CERTAIN).putLong(certainUntil).array();
  }

  /** As {@link #live(long)}, for a posting that is certain and carries cells which fit. */
  public static byte[] live(long certainUntil, CarriedCells carried) {
    return carried.encode(certainUntil);
  }

  /** Up to which time, inclusive, a posting with this value is certain. */
  public static long until(byte[] source, int offset, int length) {
    if (!isCertain(source, offset, length)) {
      return NEVER;
    }
    return length == 1 ? UNTIL_WRITTEN : ByteBuffer.wrap(source, offset + 1, Long.BYTES).getLong();
  }

  static boolean isCertain(byte[] source, int offset, int length) {
    return (length == 1 || length == LENGTH_WITH_TIME) && source[offset] == CERTAIN
        || CarriedCells.isCarrying(source, offset, length);
  }
}
