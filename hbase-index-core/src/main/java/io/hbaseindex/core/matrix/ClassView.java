/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.SizeClass;
import java.util.Arrays;

/**
 * What readers see of one size class: which blocks and loose planes there are. The lists never
 * change; the bits in them do.
 */
record ClassView(SizeClass sizeClass, ColumnBlock[] blocks, Loose loose) {
  /**
   * Loose planes, in chunks: very many may come at once, when a holder begins, and one more or
   * fewer must not copy them all. Immutable.
   */
  static final class Loose {
    static final Loose NONE = new Loose(new LoosePlane[0][], 0);

    private static final int SHIFT = 8;
    private static final int CHUNK = 1 << SHIFT;

    private final LoosePlane[][] chunks;
    private final int size;

    private Loose(LoosePlane[][] chunks, int size) {
      this.chunks = chunks;
      this.size = size;
    }

    int size() {
      return size;
    }

    LoosePlane get(int at) {
      return chunks[at >>> SHIFT][at & CHUNK - 1];
    }

    /** These planes, and behind them another one. */
    Loose with(LoosePlane plane) {
      int last = size >>> SHIFT;
      LoosePlane[][] more = Arrays.copyOf(chunks, last + 1);
      more[last] =
          last < chunks.length
              ? Arrays.copyOf(chunks[last], chunks[last].length + 1)
              : new LoosePlane[1];
      more[last][size & CHUNK - 1] = plane;
      return new Loose(more, size + 1);
    }

    /** These planes without the one at a place, which the last one takes. */
    Loose without(int at) {
      int end = size - 1;
      int last = end >>> SHIFT;
      int left = end & CHUNK - 1;
      LoosePlane[][] fewer = Arrays.copyOf(chunks, left == 0 ? last : last + 1);
      if (left != 0) {
        fewer[last] = Arrays.copyOf(chunks[last], left);
      }
      if (at != end) {
        int chunk = at >>> SHIFT;
        fewer[chunk] = chunk == last ? fewer[chunk] : fewer[chunk].clone();
        fewer[chunk][at & CHUNK - 1] = get(end);
      }
      return new Loose(fewer, end);
    }

    /** How many chunks are not those of other planes. */
    int chunksOwnedBesides(Loose other) {
      int own = 0;
      for (int at = 0; at < chunks.length; at++) {
        own += at < other.chunks.length && chunks[at] == other.chunks[at] ? 0 : 1;
      }
      return own;
    }

    private void collect(long element, SizeClass sizeClass, OwnerSet into) {
      for (LoosePlane[] chunk : chunks) {
        for (LoosePlane segment : chunk) {
          if (sizeClass.matches(element, segment.plane())) {
            into.add(segment.owner());
          }
        }
      }
    }
  }

  /** Adds to a set the owners of all segments of this class that may hold the element. */
  void collect(long element, OwnerSet into) {
    if (blocks.length > 0) {
      int[] positions = positions(element);
      for (ColumnBlock block : blocks) {
        block.collect(positions, into);
      }
    }
    loose.collect(element, sizeClass, into);
  }

  /** Classes that have blocks have few enough cells for int positions. */
  private int[] positions(long element) {
    int[] positions = new int[sizeClass.slices()];
    for (int slice = 0; slice < positions.length; slice++) {
      positions[slice] = (int) sizeClass.position(element, slice);
    }
    return positions;
  }
}
