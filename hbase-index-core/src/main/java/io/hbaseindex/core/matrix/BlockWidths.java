/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

/**
 * The widths that blocks of a size class may have, in words of 64 columns, and the steps between
 * them.
 *
 * <p>Wide blocks make lookups fast, since a row is found once and then streamed. Bounds on the
 * width keep what a step costs bounded: a block is copied whole when it is widened. The steps are
 * about a quarter of the width, so that no more than that stands empty, and from eight words on
 * whole cache lines.
 */
final class BlockWidths {
  /**
   * About 32,000 columns, beyond which lookups gain little. Not a power of two, so that the words
   * of one column, a row apart, do not all fall into the same few sets of the processor's caches.
   */
  static final int MAX_WIDTH = 504;

  /** What a block may take; classes that need more than this for one word have no blocks. */
  static final long MAX_BLOCK_BYTES = 128L << 20;

  private static final int LINE = 8;

  private final int widest;

  BlockWidths(long cells) {
    int fitting = (int) Math.min(MAX_WIDTH, MAX_BLOCK_BYTES / ColumnBlock.bytesFor(cells, 1));
    this.widest = fitting > LINE ? fitting / LINE * LINE : fitting;
  }

  /** The greatest width; zero if the class can have no block. */
  int widest() {
    return widest;
  }

  /** The next greater width, or the widest. */
  int after(int width) {
    if (width < LINE) {
      return Math.min(widest, width + 1);
    }
    int wanted = width + width / 4;
    return Math.min(widest, (wanted + LINE - 1) / LINE * LINE);
  }

  /** The smallest width beyond {@code width} with room for so many more columns, or the widest. */
  int after(int width, int moreColumns) {
    int wider = after(width);
    while (wider < widest && (wider - width) * Long.SIZE < moreColumns) {
      wider = after(wider);
    }
    return wider;
  }
}
