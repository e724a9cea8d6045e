/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.count;

import io.hbaseindex.region.context.ReadyIndex;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many certain postings some files of a region have for a value.
 *
 * <p>Store files never change, so neither does such a number: it is true for as long as the store
 * has exactly these files, and for every scan that may see all that is in them. What no file has
 * yet is looked at each time. A flush or a compaction makes other files, and the number is counted
 * anew, and nothing that was counted of the former ones is kept.
 *
 * <p>Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class CountMemory {
  /** Values that are remembered; beyond, the one asked for longest ago is forgotten. */
  static final int MOST = 512;

  /** Keys that are longer together are not remembered. */
  static final int MOST_KEY_BYTES = 1_024;

  /** So many postings are counted as fast as they are found here. */
  static final long FEWEST = 16;

  /** What is counted: keys from the first one on and below the second. */
  record Span(String start, String stop) {
    static Span of(byte[] start, byte[] stop) {
      return new Span(text(start), text(stop));
    }

    /** One character for each byte: arrays are no keys of a map. */
    private static String text(byte[] key) {
      return new String(key, StandardCharsets.ISO_8859_1);
    }
  }

  /**
   * What was counted.
   *
   * @param index as it was ready then, which decides what is certain
   * @param count postings that are certain until they are written again
   * @param last the key of the last row among them
   */
  record Counted(ReadyIndex index, long count, byte[] last) {}

  /** The names of the files of which all that is remembered was counted. */
  private Set<String> counted = Set.of();

  private final Map<Span, Counted> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Span, Counted> eldest) {
          return size() > MOST;
        }
      };

  /** What these files have; empty if that is not known. */
  synchronized Optional<Counted> get(Span span, ReadyIndex index, Set<String> files) {
    return files.equals(counted)
        ? Optional.ofNullable(counts.get(span)).filter(found -> found.index() == index)
        : Optional.empty();
  }

  /** Remembers what these files have, and forgets what other files had. */
  synchronized void put(Span span, Set<String> files, Counted found) {
    if (!files.equals(counted)) {
      counts.clear();
      counted = files;
    }
    boolean small =
        span.start().length() + span.stop().length() + found.last().length <= MOST_KEY_BYTES;
    if (small && found.count() >= FEWEST) {
      counts.put(span, found);
    }
  }
}
