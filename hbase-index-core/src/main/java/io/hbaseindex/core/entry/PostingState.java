/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether a posting counts. It is the first byte of the value of the posting's cell:
 *
 * <pre>
 *   7 6 5 4   3 2 1 0
 *  +--------+--------+
 *  | format | state  |   format 1; state 0 dead, 1 live, 2 live and certain, 3 likewise, with cells
 *  +--------+--------+
 * </pre>
 *
 * <p>What "certain" means, and what follows the byte then, is said by {@link PostingCertainty} and
 * {@link CarriedCells}. Who only wants to know whether a posting counts need not tell the live
 * states apart.
 *
 * <p>Ended postings are overwritten as dead rather than deleted: an HBase tombstone would beat a
 * posting written again within the same millisecond.
 */
@InterfaceAudience.Private
public enum PostingState {
  DEAD(0x10),
  LIVE(0x11);

  private final byte code;

  PostingState(int code) {
    this.code = (byte) code;
  }

  /** The byte that stands for this state. */
  public byte code() {
    return code;
  }

  /**
   * The state that a posting's value says.
   *
   * @throws MalformedPostingException if this release does not know it
   */
  public static PostingState parse(byte[] source, int offset, int length) {
    if (length == 1 && source[offset] == DEAD.code) {
      return DEAD;
    }
    if (length == 1 && source[offset] == LIVE.code
        || PostingCertainty.isCertain(source, offset, length)) {
      return LIVE;
    }
    throw new MalformedPostingException(
        "Cannot read a posting's state: it had %d bytes, the first was %s; expected one byte 10 or 11, or 12 with or without a time, or 13 with cells"
            .formatted(length, length == 0 ? "none" : "%02x".formatted(source[offset])));
  }
}
