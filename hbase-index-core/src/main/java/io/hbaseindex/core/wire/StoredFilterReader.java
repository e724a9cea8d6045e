/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.route.RegionBounds;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads what {@link StoredFilterWriter} has written, part by part. A part is handed on only when
 * its checksum is right; that all of them were there is known at the end, so whoever takes them
 * must not use them before.
 */
@InterfaceAudience.Private
public final class StoredFilterReader {
  /**
   * More than any part takes: pieces have 64 KiB of words, and at most as many excesses; bounds
   * take half as much at most.
   */
  private static final int MOST_PART_BYTES = 2 << 20;

  /** Takes the parts behind the head. */
  public interface Sink {
    void frequent(FilterImage.Frequent frequent) throws IOException;

    void piece(FilterImage.Piece piece) throws IOException;

    void again(long element) throws IOException;

    /** Comes once, or not at all from an earlier release. */
    void bounds(RegionBounds bounds) throws IOException;
  }

  private final InputStream in;
  private long number;

  public StoredFilterReader(InputStream in) {
    this.in = in;
  }

  /**
   * Reads what comes first of the next filter.
   *
   * @throws MalformedBlobException if it is damaged, or of another version
   */
  public StoredFilter head() throws IOException {
    return next(
        (what, body) -> {
          if (what != StoredFilterWriter.HEAD) {
            throw new IllegalArgumentException("part " + what + " comes first");
          }
          return head(body);
        });
  }

  /**
   * Reads the rest of a filter. What the sink refuses as senseless is damage like any other.
   *
   * @throws MalformedBlobException if any of it is damaged, or something is missing
   */
  public void rest(Sink sink) throws IOException {
    try {
      Optional<Part> part = next(StoredFilterReader::part);
      while (part.isPresent()) {
        part.get().handTo(sink);
        part = next(StoredFilterReader::part);
      }
    } catch (IllegalArgumentException e) {
      MalformedBlobException malformed =
          new MalformedBlobException(BlobKind.STORED_FILTER, e.getMessage());
      malformed.initCause(e);
      throw malformed;
    }
  }

  /**
   * Makes sure that there are no more filters.
   *
   * @throws MalformedBlobException if something follows
   */
  public void end() throws IOException {
    if (in.read() >= 0) {
      throw new MalformedBlobException(BlobKind.STORED_FILTER, "bytes come behind its end");
    }
  }

  /** A part that has been read. */
  private interface Part {
    void handTo(Sink sink) throws IOException;
  }

  private interface PartReader<T> {
    T read(int what, WireReader body);
  }

  private <T> T next(PartReader<T> reader) throws IOException {
    return Blob.read(
        BlobKind.STORED_FILTER,
        Blob.readFrom(in, BlobKind.STORED_FILTER, MOST_PART_BYTES),
        bytes -> {
          WireReader body = new WireReader(bytes);
          requireNumber(body.var());
          return reader.read(body.uint8(), body);
        });
  }

  private void requireNumber(long found) {
    if (found != number) {
      throw new IllegalArgumentException("part " + found + " is where " + number + " should be");
    }
    number++;
  }

  /** Empty for the part that says that there are no more. */
  private static Optional<Part> part(int what, WireReader body) {
    return switch (what) {
      case StoredFilterWriter.FREQUENT -> Optional.of(frequent(body));
      case StoredFilterWriter.PIECE -> {
        FilterImage.Piece piece = piece(body);
        yield Optional.of(sink -> sink.piece(piece));
      }
      case StoredFilterWriter.AGAIN -> Optional.of(again(body));
      case StoredFilterWriter.RANGES -> {
        Bounds.skipRanges(body);
        yield Optional.of(sink -> {});
      }
      case StoredFilterWriter.BOUNDS -> {
        RegionBounds bounds = Bounds.read(body);
        yield Optional.of(sink -> sink.bounds(bounds));
      }
      case StoredFilterWriter.END -> Optional.empty();
      default -> throw new IllegalArgumentException("part " + what + " is unknown");
    };
  }

  private static Part frequent(WireReader body) {
    List<FilterImage.Frequent> elements = new ArrayList<>();
    int count = body.count(Long.BYTES + 1);
    for (int at = 0; at < count; at++) {
      elements.add(new FilterImage.Frequent(body.int64(), body.var()));
    }
    return sink -> {
      for (FilterImage.Frequent element : elements) {
        sink.frequent(element);
      }
    };
  }

  private static Part again(WireReader body) {
    long[] elements = new long[body.count(Long.BYTES)];
    for (int at = 0; at < elements.length; at++) {
      elements[at] = body.int64();
    }
    return sink -> {
      for (long element : elements) {
        sink.again(element);
      }
    };
  }

  private static StoredFilter head(WireReader body) {
    long id = body.int64();
    long incarnation = body.int64();
    int shard = body.varInt();
    int shards = body.varInt();
    long through = body.int64();
    List<StoredFilter.Index> covered = new ArrayList<>();
    int indexes = body.count(2 + Long.BYTES);
    for (int at = 0; at < indexes; at++) {
      covered.add(new StoredFilter.Index(body.var(), body.var(), body.int64()));
    }
    FilterGeometry geometry =
        new FilterGeometry(
            body.int64(), Double.longBitsToDouble(body.int64()), body.uint8(), body.bool());
    List<FilterImage.Segment> segments = new ArrayList<>();
    int count = body.count(3);
    for (int at = 0; at < count; at++) {
      segments.add(new FilterImage.Segment(body.varInt(), body.varInt(), body.varInt()));
    }
    return new StoredFilter(
        id,
        incarnation,
        shard,
        shards,
        through,
        covered,
        new FilterImage.Outline(geometry, segments));
  }

  private static FilterImage.Piece piece(WireReader body) {
    int segment = body.varInt();
    long firstWord = body.var();
    long[] words = new long[body.count(Long.BYTES)];
    for (int at = 0; at < words.length; at++) {
      words[at] = body.int64();
    }
    boolean exhausted = body.bool();
    long[] excesses = new long[body.count(2)];
    long next = 0;
    for (int at = 0; at < excesses.length; at++) {
      long place = next + body.varInt();
      int excess = body.varInt();
      if (excess >= 1 << FilterImage.EXCESS_BITS) {
        throw new IllegalArgumentException("an excess was " + excess);
      }
      excesses[at] = place << FilterImage.EXCESS_BITS | excess;
      next = place + 1;
    }
    return new FilterImage.Piece(segment, firstWord, words, exhausted, excesses);
  }
}
