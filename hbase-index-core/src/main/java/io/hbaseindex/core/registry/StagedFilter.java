/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.registry.TrustedFilter.HeldBounds;
import io.hbaseindex.core.route.IndexCoverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A filter that arrives in parts, followed by pages of changes. No route is answered by it yet.
 *
 * <p>Throws {@link IllegalArgumentException} for what does not fit together, and {@link
 * io.hbaseindex.core.matrix.RoutingBudgetExceededException} where there is no memory; the filter is
 * worthless after that.
 */
final class StagedFilter {
  private final long generation;
  private final List<IndexCoverage> coverage;
  private HeldBounds bounds;
  private final int maxSegments;
  private final MatrixBudget budget;
  private final Map<Integer, Segment> segments = new TreeMap<>();
  private int parts;
  private boolean complete;
  private long page;
  private long bytes;

  private record Segment(SizeClass sizeClass, BitPlane plane) {}

  StagedFilter(
      long generation, List<IndexCoverage> coverage, int maxSegments, MatrixBudget budget) {
    this.generation = generation;
    this.coverage = coverage;
    this.maxSegments = maxSegments;
    this.budget = budget;
    this.bounds = new HeldBounds(budget);
  }

  long generation() {
    return generation;
  }

  List<IndexCoverage> coverage() {
    return coverage;
  }

  /** Gives the bounds, with the memory that they take, to whoever goes on with them. */
  HeldBounds handOverBounds() {
    HeldBounds given = bounds;
    bounds = new HeldBounds(budget);
    return given;
  }

  int parts() {
    return parts;
  }

  boolean isComplete() {
    return complete;
  }

  /** The last page applied. */
  long page() {
    return page;
  }

  /** Bytes of heap in planes. */
  long bytes() {
    return bytes;
  }

  /** Adds the next part. */
  void add(StageChunk chunk) {
    if (parts == 0) {
      bounds.set(chunk.bounds());
    }
    for (SegmentPiece piece : chunk.pieces()) {
      Segment segment = segments.get(piece.segment());
      if (segment == null) {
        segment = addSegment(piece.segment(), piece.sizeClass());
      }
      write(segment, piece);
    }
    parts++;
    complete = chunk.last();
  }

  /** Applies the next page. */
  void apply(RegionMessage.ApplyPage message) {
    message.changes().replay(new Changes());
    bounds.widen(message.widened());
    page = message.page();
  }

  FilterSnapshot snapshot() {
    List<FilterSnapshot.Segment> all = new ArrayList<>();
    segments.forEach(
        (id, segment) -> all.add(new FilterSnapshot.Segment(id, segment.sizeClass, segment.plane)));
    return new FilterSnapshot(all);
  }

  /** The filter is not staged any more; its bytes are left to others. */
  void discard() {
    leavePlanes();
    bounds.release();
  }

  /** The bits go elsewhere, which counts them anew. */
  void leavePlanes() {
    budget.giveBack(bytes);
    bytes = 0;
  }

  private Segment addSegment(int id, SizeClass sizeClass) {
    if (segments.size() >= maxSegments) {
      throw new IllegalArgumentException(
          "Cannot stage a filter: it has more than " + maxSegments + " segments");
    }
    if (segments.containsKey(id)) {
      throw new IllegalArgumentException(
          "Cannot stage a filter: segment " + id + " was added twice");
    }
    long more = BitPlane.bytesFor(sizeClass.cells());
    budget.take(more, "stage a filter");
    bytes += more;
    Segment segment = new Segment(sizeClass, new BitPlane(sizeClass.cells()));
    segments.put(id, segment);
    return segment;
  }

  private static void write(Segment segment, SegmentPiece piece) {
    long words = segment.plane.wordCount();
    if (!segment.sizeClass.equals(piece.sizeClass())
        || piece.firstWord() < 0
        || piece.firstWord() > words - piece.words().length) {
      throw new IllegalArgumentException(
          "Cannot stage a filter: "
              + piece.words().length
              + " words from "
              + piece.firstWord()
              + " on do not fit segment "
              + piece.segment()
              + ", which has "
              + words);
    }
    for (int at = 0; at < piece.words().length; at++) {
      int index = piece.firstWord() + at;
      long word = piece.words()[at];
      long first = (long) index * Long.SIZE;
      long last = first + Long.SIZE - 1 - Long.numberOfLeadingZeros(word);
      if (word != 0 && last >= segment.sizeClass.cells()) {
        throw new IllegalArgumentException(
            "Cannot stage a filter: bit " + last + " lies beyond segment " + piece.segment());
      }
      segment.plane.write(index, segment.plane.word(index) | word);
    }
  }

  private final class Changes implements FilterChangeListener {
    @Override
    public void segmentAdded(int segment, SizeClass sizeClass) {
      addSegment(segment, sizeClass);
    }

    @Override
    public void bitSet(int segment, long position) {
      plane(segment, position).set(position);
    }

    @Override
    public void bitCleared(int segment, long position) {
      plane(segment, position).clear(position);
    }

    @Override
    public void segmentDropped(int segment) {
      Segment dropped = segments.remove(segment);
      if (dropped == null) {
        throw new IllegalArgumentException(
            "Cannot change a staged filter: there is no segment " + segment + " to drop");
      }
      long fewer = BitPlane.bytesFor(dropped.sizeClass.cells());
      budget.giveBack(fewer);
      bytes -= fewer;
    }

    private BitPlane plane(int id, long position) {
      Segment segment = segments.get(id);
      if (segment == null || position < 0 || position >= segment.sizeClass.cells()) {
        throw new IllegalArgumentException(
            "Cannot change a staged filter: there is no bit " + position + " in segment " + id);
      }
      return segment.plane;
    }
  }
}
