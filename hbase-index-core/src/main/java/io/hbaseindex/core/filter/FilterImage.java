/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter.Link;
import io.hbaseindex.core.memory.PagedMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A filter with all its counters, taken apart piece by piece while it goes on being written, and
 * put together again.
 *
 * <p>Each piece is taken at a moment of its own, so the image as a whole is of no moment at all: an
 * element that comes or goes meanwhile may be counted in some of its cells and not in others. It
 * never lacks what whoever puts it together is going to rely on, if these rules are kept:
 *
 * <ol>
 *   <li>No piece is taken while the filter is written to; between two pieces it may be.
 *   <li>Elements that are <em>inserted</em> after the image was begun are inserted once more when
 *       it is put together. Cells that have counted them already are then too high by one.
 *   <li>Elements that are <em>deleted</em> after the image was begun are {@linkplain #countAgain
 *       counted again} when it is put together, once for each time. Cells that were taken before
 *       the deletion are then too high by one.
 * </ol>
 *
 * <p>So every counter comes to at least the sum of the copies of its elements. The frequent
 * elements are taken first, and deleted ones are counted again in the chain itself: copies in the
 * {@link HeavyTable} must never be all that is left of an element, since lookups ask the chain.
 */
@InterfaceAudience.Private
public final class FilterImage {
  /** Words of counters in a piece: 64 KiB. */
  public static final int PIECE_WORDS = 1 << 13;

  /** Bits of an entry of {@link Piece#excesses} that hold the excess. */
  public static final int EXCESS_BITS = 16;

  /**
   * One segment of a chain.
   *
   * @param id what changes of it are reported under
   * @param level its size level in the geometry
   * @param ordinal what decides on its share of the error
   */
  public record Segment(int id, int level, int ordinal) {
    public Segment {
      if (id < 0 || level < 0 || ordinal < 0) {
        throw new IllegalArgumentException(
            "segment %d has level %d and ordinal %d".formatted(id, level, ordinal));
      }
    }
  }

  /**
   * What a filter consists of.
   *
   * @param segments in chain order
   */
  public record Outline(FilterGeometry geometry, List<Segment> segments) {
    public Outline {
      segments = List.copyOf(segments);
      Set<Integer> ids = new HashSet<>();
      for (Segment segment : segments) {
        if (!ids.add(segment.id())) {
          throw new IllegalArgumentException("segment " + segment.id() + " comes twice");
        }
      }
      if (segments.isEmpty()) {
        throw new IllegalArgumentException("a chain has no segment");
      }
    }
  }

  /**
   * Counters that lie side by side.
   *
   * @param segment place of their segment in the outline
   * @param firstWord of the words of the segment's cells
   * @param words 32 cells of two bits each
   * @param exhausted whether cells at their top may be more without an excess; only in filters that
   *     earlier releases stored
   * @param excesses for each cell above its top, in order: its place in the piece shifted left by
   *     {@link #EXCESS_BITS}, and its excess
   */
  public record Piece(
      int segment, long firstWord, long[] words, boolean exhausted, long[] excesses) {}

  /** A frequent element, and its copies beside those in the chain. */
  public record Frequent(long element, long copies) {}

  private final ScalableSplitCountingBloomFilter filter;
  private final Link[] links;
  private final int pieceWords;
  private int segment;
  private long nextWord;

  private FilterImage(ScalableSplitCountingBloomFilter filter, int pieceWords) {
    this.filter = filter;
    this.links = filter.chain();
    this.pieceWords = pieceWords;
  }

  /** Begins to take a filter apart; to be followed by {@link #frequent} before it is written. */
  public static FilterImage of(ScalableSplitCountingBloomFilter filter) {
    return of(filter, PIECE_WORDS);
  }

  static FilterImage of(ScalableSplitCountingBloomFilter filter, int pieceWords) {
    return new FilterImage(filter, pieceWords);
  }

  /** What the filter consists of. Segments that it adds later hold no older elements. */
  public Outline outline() {
    List<Segment> segments = new ArrayList<>();
    for (Link link : links) {
      segments.add(new Segment(link.id, link.level, link.ordinal));
    }
    return new Outline(filter.geometry(), segments);
  }

  /** The frequent elements that have copies beside the chain. */
  public List<Frequent> frequent() {
    List<Frequent> found = new ArrayList<>();
    filter
        .heavy()
        .forEach(
            (element, copies) -> {
              if (copies > 0) {
                found.add(new Frequent(element, copies));
              }
            });
    return found;
  }

  /** The next piece; empty when all have been taken. */
  public Optional<Piece> next() {
    // A segment that was dropped meanwhile has lost all elements, and its memory.
    while (segment < links.length && (isTaken(links[segment]) || isDropped(links[segment]))) {
      segment++;
      nextWord = 0;
    }
    if (segment == links.length) {
      return Optional.empty();
    }
    CellCounters counters = links[segment].filter.counters();
    long first = nextWord;
    nextWord = Math.min(first + pieceWords, counters.wordCount());
    return Optional.of(piece(counters, first, (int) (nextWord - first)));
  }

  private boolean isTaken(Link link) {
    return nextWord >= link.filter.counters().wordCount();
  }

  private boolean isDropped(Link link) {
    return !Arrays.asList(filter.chain()).contains(link);
  }

  private Piece piece(CellCounters counters, long first, int count) {
    long[] words = new long[count];
    long[] excesses = new long[16];
    int found = 0;
    for (int at = 0; at < count; at++) {
      words[at] = counters.cellWord(first + at);
      long tops = words[at] & words[at] >>> 1 & CellCounters.LOW_BITS;
      for (; tops != 0; tops &= tops - 1) {
        int cell = Long.numberOfTrailingZeros(tops) / 2;
        long place = (long) at * CellCounters.CELLS_PER_WORD + cell;
        int excess = counters.excess(first * CellCounters.CELLS_PER_WORD + place);
        if (excess > 0) {
          excesses = found < excesses.length ? excesses : Arrays.copyOf(excesses, 2 * found);
          excesses[found++] = place << EXCESS_BITS | excess;
        }
      }
    }
    return new Piece(segment, first, words, false, Arrays.copyOf(excesses, found));
  }

  /** An empty filter of this outline, to be put together; empty if there is no memory for it. */
  public static Optional<ScalableSplitCountingBloomFilter> emptyOf(
      PagedMemory memory, Outline outline, FilterChangeListener listener) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            memory,
            outline.geometry(),
            listener,
            ScalableSplitCountingBloomFilter.DEFAULT_HEAVY_LIMIT);
    for (Segment segment : outline.segments()) {
      SizeClass shape = outline.geometry().sizeClass(segment.level(), segment.ordinal());
      Optional<SplitCountingBloomFilter> made = SplitCountingBloomFilter.within(memory, shape);
      if (made.isEmpty()) {
        filter.free();
        return Optional.empty();
      }
      filter.append(new Link(segment.id(), segment.level(), segment.ordinal(), made.get()));
    }
    return Optional.of(filter);
  }

  /**
   * Puts a piece in its place, which no other piece has been put in, after all pieces of the same
   * segment that come before it.
   *
   * @throws IllegalArgumentException if the filter has no such place, or the piece makes no sense
   */
  public static void restore(ScalableSplitCountingBloomFilter filter, Piece piece) {
    Link[] links = filter.chain();
    if (piece.segment() >= links.length) {
      throw new IllegalArgumentException("segment " + piece.segment() + " is unknown");
    }
    SplitCountingBloomFilter target = links[piece.segment()].filter;
    CellCounters counters = target.counters();
    requirePlace(piece, counters);
    for (int at = 0; at < piece.words().length; at++) {
      target.restoreWord(piece.firstWord() + at, piece.words()[at]);
    }
    int entries = 0;
    int[] excesses = new int[CarryBlocks.CELLS];
    for (int from = 0; from < piece.words().length; from += CarryBlocks.CELL_WORDS) {
      Arrays.fill(excesses, 0);
      entries = excessesOfBlock(piece, from, entries, excesses);
      if (piece.exhausted()) {
        stickTops(piece, from, excesses);
      }
      counters.restoreExcesses(piece.firstWord() + from, excesses);
    }
    if (entries < piece.excesses().length) {
      throw new IllegalArgumentException("excesses of unknown cells are named");
    }
  }

  /** Reads the excesses of a block, which begins at a word; returns how many have been read. */
  private static int excessesOfBlock(Piece piece, int fromWord, int read, int[] excesses) {
    long first = (long) fromWord * CellCounters.CELLS_PER_WORD;
    int next = read;
    for (; next < piece.excesses().length; next++) {
      long place = piece.excesses()[next] >>> EXCESS_BITS;
      if (place >= first + CarryBlocks.CELLS) {
        break;
      }
      int excess = (int) piece.excesses()[next] & ExcessTable.STUCK;
      requireTop(piece, place, excess);
      if (place < first || excesses[(int) (place - first)] > 0) {
        throw new IllegalArgumentException("excesses are not in order, or come twice");
      }
      excesses[(int) (place - first)] = excess;
    }
    return next;
  }

  /** Cells at their top that have no excess may have lost one. */
  private static void stickTops(Piece piece, int fromWord, int[] excesses) {
    int end = Math.min(fromWord + CarryBlocks.CELL_WORDS, piece.words().length);
    for (int at = fromWord; at < end; at++) {
      long word = piece.words()[at];
      for (long tops = word & word >>> 1 & CellCounters.LOW_BITS; tops != 0; tops &= tops - 1) {
        int cell =
            (at - fromWord) * CellCounters.CELLS_PER_WORD + Long.numberOfTrailingZeros(tops) / 2;
        excesses[cell] = excesses[cell] == 0 ? ExcessTable.STUCK : excesses[cell];
      }
    }
  }

  private static void requirePlace(Piece piece, CellCounters counters) {
    long end = piece.firstWord() + piece.words().length;
    if (piece.firstWord() < 0 || end > counters.wordCount()) {
      throw new IllegalArgumentException(
          "words %d to %d of %d are named".formatted(piece.firstWord(), end, counters.wordCount()));
    }
    if (piece.firstWord() % CarryBlocks.CELL_WORDS != 0
        || end % CarryBlocks.CELL_WORDS != 0 && end != counters.wordCount()) {
      throw new IllegalArgumentException(
          "words %d to %d are not whole blocks".formatted(piece.firstWord(), end));
    }
    long unused = end * CellCounters.CELLS_PER_WORD - counters.size();
    long last = piece.words().length == 0 ? 0 : piece.words()[piece.words().length - 1];
    if (unused > 0 && last >>> Long.SIZE - 2 * unused != 0) {
      throw new IllegalArgumentException("cells behind the last one are in use");
    }
    for (long at = piece.firstWord(); at < end; at++) {
      if (counters.cellWord(at) != 0) {
        throw new IllegalArgumentException("word " + at + " comes twice");
      }
    }
  }

  private static void requireTop(Piece piece, long place, int excess) {
    int word = (int) (place / CellCounters.CELLS_PER_WORD);
    long shift = 2 * (place % CellCounters.CELLS_PER_WORD);
    boolean top =
        word < piece.words().length
            && (piece.words()[word] >>> shift & CellCounters.TOP) == CellCounters.TOP;
    if (!top || excess == 0) {
      throw new IllegalArgumentException("cell " + place + " has an excess of " + excess);
    }
  }

  /** Gives a frequent element its copies back; false if there is no memory for it. */
  public static boolean restore(ScalableSplitCountingBloomFilter filter, Frequent frequent) {
    if (frequent.copies() < 1) {
      throw new IllegalArgumentException("a frequent element has no copies");
    }
    return filter.heavy().restore(frequent.element(), frequent.copies());
  }

  /** Counts an element that was deleted while the image was taken, after all pieces are there. */
  public static void countAgain(ScalableSplitCountingBloomFilter filter, long element) {
    filter.countUp(element);
  }
}
