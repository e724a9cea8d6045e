/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * {@linkplain PrefixBlock Blocks} in rising order, in chunks: a list that differs in a few blocks
 * shares the chunks of all others, so a change costs as little in a list of thousands as in a short
 * one. Immutable.
 */
final class BlockList {
  /** Chunks have half as many blocks at least where they have grown, and twice as many never. */
  private static final int CHUNK = 64;

  private final byte[][][] chunks;

  /** The number of the first block of each chunk, and of all blocks. */
  private final int[] starts;

  private BlockList(List<byte[][]> chunks) {
    this.chunks = chunks.toArray(byte[][][]::new);
    this.starts = new int[this.chunks.length + 1];
    for (int chunk = 0; chunk < this.chunks.length; chunk++) {
      starts[chunk + 1] = starts[chunk] + this.chunks[chunk].length;
    }
  }

  static BlockList of(List<byte[]> blocks) {
    Builder builder = new Builder();
    blocks.forEach(builder::add);
    return builder.made();
  }

  int size() {
    return starts[chunks.length];
  }

  byte[] get(int block) {
    int chunk = chunkOf(block);
    return chunks[chunk][block - starts[chunk]];
  }

  private int chunkOf(int block) {
    int found = Arrays.binarySearch(starts, block);
    return found < 0 ? -found - 2 : found;
  }

  /** The last block that begins with nothing above a string; the first if there is none. */
  int find(byte[] string) {
    int low = 0;
    int high = chunks.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (PrefixBlock.compareFirst(chunks[middle][0], string) > 0) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    int chunk = low;
    low = 0;
    high = chunks[chunk].length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (PrefixBlock.compareFirst(chunks[chunk][middle], string) > 0) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return starts[chunk] + low;
  }

  /** All blocks. */
  List<byte[]> all() {
    List<byte[]> all = new ArrayList<>(size());
    for (byte[][] chunk : chunks) {
      all.addAll(Arrays.asList(chunk));
    }
    return all;
  }

  /** Puts a list together, from the lowest block on. */
  static final class Builder {
    private final List<byte[][]> chunks = new ArrayList<>();
    private final byte[][] open = new byte[2 * CHUNK][];
    private int size;

    void add(byte[] block) {
      if (size == open.length) {
        close(CHUNK);
      }
      open[size++] = block;
    }

    /** Some blocks of another list: chunks that are wanted whole are shared. */
    void keep(BlockList list, int from, int to) {
      for (int chunk = list.chunkOf(from); from < to; chunk++) {
        byte[][] blocks = list.chunks[chunk];
        int start = list.starts[chunk];
        if (from == start && start + blocks.length <= to) {
          close();
          chunks.add(blocks);
        } else {
          for (int at = from - start; at < Math.min(blocks.length, to - start); at++) {
            add(blocks[at]);
          }
        }
        from = start + blocks.length;
      }
    }

    private void close() {
      if (size > CHUNK) {
        close(size / 2);
      }
      if (size > 0) {
        close(size);
      }
    }

    /** Makes a chunk of the first blocks that are open. */
    private void close(int count) {
      chunks.add(Arrays.copyOf(open, count));
      System.arraycopy(open, count, open, 0, size - count);
      size -= count;
    }

    BlockList made() {
      close();
      return new BlockList(chunks);
    }
  }
}
