/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a region's publisher tells the master. Each message is harmless when it is repeated, late or
 * out of order.
 *
 * <p>A region is named by the number its server gave it when it opened, which the server never uses
 * again. Filters are told apart by <em>generation</em>, rising within an incarnation; the changes
 * of a generation are numbered by <em>page</em>, from 1 on.
 */
@InterfaceAudience.Private
public sealed interface RegionMessage {
  /** The number the sending server gave the region. */
  int region();

  /** About how many bytes the message takes when it is sent. */
  long weight();

  /**
   * Announces a region: its entry is open, and so is every older incarnation of its keys.
   *
   * @param abandoned the highest generation that must not be trusted any more
   */
  record OpenRegion(int region, RegionIncarnation incarnation, long abandoned)
      implements RegionMessage {
    @Override
    public long weight() {
      return 64
          + incarnation.table().length()
          + incarnation.encodedName().length()
          + incarnation.range().start().length
          + incarnation.range().end().length;
    }
  }

  /**
   * One part of a whole filter, as it was when its generation began. The parts of a generation are
   * numbered from 0 on and put together in order.
   *
   * @param coverage the indexes that the filter holds completely; the same in every part
   * @param bounds of their values when the generation began, in the first part; later parts have
   *     nothing to add
   */
  record StageChunk(
      int region,
      long generation,
      int number,
      boolean last,
      List<IndexCoverage> coverage,
      RegionBounds bounds,
      List<SegmentPiece> pieces)
      implements RegionMessage {
    /** A part of a filter that knows no bounds. */
    public StageChunk(
        int region,
        long generation,
        int number,
        boolean last,
        List<IndexCoverage> coverage,
        List<SegmentPiece> pieces) {
      this(region, generation, number, last, coverage, RegionBounds.EVERYTHING, pieces);
    }

    public StageChunk {
      coverage = List.copyOf(coverage);
      pieces = List.copyOf(pieces);
    }

    @Override
    public long weight() {
      long weight = 32 + 24L * coverage.size() + bounds.bytes();
      for (SegmentPiece piece : pieces) {
        weight += 24 + 8L * piece.words().length;
      }
      return weight;
    }
  }

  /**
   * The next page of changes of a generation.
   *
   * @param widened what covers the values that did not lie within the bounds known before
   */
  record ApplyPage(
      int region, long generation, long page, FilterChanges changes, RegionBounds widened)
      implements RegionMessage {
    /** A page that leaves bounds as they are. */
    public ApplyPage(int region, long generation, long page, FilterChanges changes) {
      this(region, generation, page, changes, RegionBounds.NOTHING);
    }

    @Override
    public long weight() {
      return 24 + changes.bytes() + widened.bytes();
    }
  }

  /**
   * Asks for trust as long as the token that came with it gives; granted only if every page up to
   * {@code page}, the last one with a set bit, has been applied to that generation.
   */
  record RenewTrust(int region, long generation, long page) implements RegionMessage {
    @Override
    public long weight() {
      return 20;
    }
  }

  /**
   * Says that the region is open and no generation up to {@code abandoned} may be trusted again.
   */
  record StayOpen(int region, long abandoned, OpenReason reason) implements RegionMessage {
    @Override
    public long weight() {
      return 16;
    }
  }

  /** Says that the region is closing: its incarnation is over for good. */
  record ReleaseRegion(int region) implements RegionMessage {
    @Override
    public long weight() {
      return 8;
    }
  }
}
