/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import io.hbaseindex.core.filter.FilterSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A whole filter, cut into parts of bounded size. A part holds pieces of segments. Words that are
 * zero at either end of a piece are left out, so an empty segment costs next to nothing. Every
 * segment is named by at least one piece.
 */
@InterfaceAudience.Private
public final class FilterChunks {
  private final List<List<SegmentPiece>> parts = new ArrayList<>();

  /** Cuts a snapshot into parts of at most {@code chunkBytes}, but of one word at least. */
  public FilterChunks(FilterSnapshot snapshot, int chunkBytes) {
    int wordsPerPart = Math.max(1, chunkBytes / Long.BYTES);
    List<SegmentPiece> part = new ArrayList<>();
    int room = wordsPerPart;
    for (FilterSnapshot.Segment segment : snapshot.segments()) {
      int at = 0;
      int words = segment.plane().wordCount();
      while (at < words) {
        if (room == 0) {
          parts.add(part);
          part = new ArrayList<>();
          room = wordsPerPart;
        }
        int count = Math.min(room, words - at);
        part.add(piece(segment, at, count));
        at += count;
        room -= count;
      }
    }
    parts.add(part);
  }

  public int count() {
    return parts.size();
  }

  /** Bytes of the parts from a number on. */
  public long bytesFrom(int number) {
    long bytes = 0;
    for (List<SegmentPiece> part : parts.subList(number, parts.size())) {
      bytes += bytesOf(part);
    }
    return bytes;
  }

  /** Bytes of the bits of a part, and one more, so that none is for nothing. */
  public static long bytesOf(List<SegmentPiece> part) {
    long bytes = 1;
    for (SegmentPiece piece : part) {
      bytes += (long) Long.BYTES * piece.words().length;
    }
    return bytes;
  }

  public List<SegmentPiece> part(int number) {
    return parts.get(number);
  }

  private static SegmentPiece piece(FilterSnapshot.Segment segment, int first, int count) {
    int from = first;
    int to = first + count;
    while (from < to && segment.plane().word(from) == 0) {
      from++;
    }
    while (to > from && segment.plane().word(to - 1) == 0) {
      to--;
    }
    long[] words = new long[to - from];
    for (int at = 0; at < words.length; at++) {
      words[at] = segment.plane().word(from + at);
    }
    return new SegmentPiece(segment.id(), segment.sizeClass(), from, words);
  }
}
