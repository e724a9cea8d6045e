/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import io.hbaseindex.core.filter.BitPlane;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The shape of a multi Bloom filter: {@code windowsPerFilter} counting vectors below one bit
 * vector.
 *
 * <p>The paper's names are given in brackets. Its counters of "⌈1/n₂⌉ bits" are read as the
 * ⌈log₂(n₂ + 1)⌉ bits that n₂ occurrences of one element need: a counter never overflows.
 *
 * @param windowCapacity events a window takes (n₂)
 * @param windowsPerFilter windows that share a bit vector (l)
 * @param counters counters of a window (m₂)
 * @param counterHashes counters an event raises (k₂)
 * @param bits bits of the global vector (m₁)
 * @param bitHashes bits an event sets (k₁)
 */
@InterfaceAudience.Private
public record MbfParameters(
    int windowCapacity,
    int windowsPerFilter,
    int counters,
    int counterHashes,
    int bits,
    int bitHashes) {

  /** So that a counter's value, also after merging windows, is an int. */
  public static final int MAX_WINDOW_CAPACITY = 1 << 24;

  /** Windows of one filter, merged filters included; a query may look at each of them. */
  public static final int MAX_WINDOWS = 4096;

  /** More hashes would be an error below that of the 64-bit hash itself. */
  public static final int MAX_HASHES = 64;

  /** Bytes of one filter; queries and merges hold up to three of them at a time. */
  public static final long MAX_FILTER_BYTES = 512L << 20;

  private static final int MAX_CELLS = 1 << 30;

  /** Keeps a logarithm that is an integer from coming out just above it. */
  private static final double ROUNDING = 1e-9;

  public MbfParameters {
    requireRange("window capacity", windowCapacity, 1, MAX_WINDOW_CAPACITY);
    requireRange("windows per filter", windowsPerFilter, 1, MAX_WINDOWS);
    requireRange("counters", counters, 1, MAX_CELLS);
    requireRange("counter hashes", counterHashes, 1, MAX_HASHES);
    requireRange("bits", bits, 1, MAX_CELLS);
    requireRange("bit hashes", bitHashes, 1, MAX_HASHES);
    long bytes = filterBytes(windowCapacity, windowsPerFilter, counters, bits);
    if (bytes > MAX_FILTER_BYTES) {
      throw new IllegalArgumentException(
          "Cannot lay out a multi Bloom filter: it would take "
              + bytes
              + " bytes, more than "
              + MAX_FILTER_BYTES
              + "; choose fewer or smaller windows");
    }
  }

  /**
   * The paper's optimum for windows whose events are all different: k = ⌈log₂ 1/P⌉, m = n k / ln 2.
   * Repeated elements only make the errors smaller.
   *
   * @param windowCapacity events a window takes
   * @param windowsPerFilter windows that share a bit vector
   * @param windowError probability that a full window reports an element it has not seen, or counts
   *     one it has seen too often
   * @param filterError probability that the full bit vector reports an element it has not seen
   */
  public static MbfParameters forErrors(
      int windowCapacity, int windowsPerFilter, double windowError, double filterError) {
    int counterHashes = hashesFor("window error", windowError);
    int bitHashes = hashesFor("filter error", filterError);
    return new MbfParameters(
        windowCapacity,
        windowsPerFilter,
        cellsFor(windowCapacity, counterHashes),
        counterHashes,
        cellsFor((long) windowCapacity * windowsPerFilter, bitHashes),
        bitHashes);
  }

  /** Bits of a counter that never overflows in a window of {@code events} events. */
  public static int counterWidth(int events) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, events));
  }

  /** Events a filter takes (n₁). */
  public long filterCapacity() {
    return (long) windowCapacity * windowsPerFilter;
  }

  /** Bits of a counter (d). */
  public int counterWidth() {
    return counterWidth(windowCapacity);
  }

  /** Heap bytes of a filter with all its windows. */
  public long filterBytes() {
    return filterBytes(windowCapacity, windowsPerFilter, counters, bits);
  }

  /** Whether filters of both shapes give an element the same positions. */
  public boolean sharesPositionsWith(MbfParameters other) {
    return counters == other.counters
        && counterHashes == other.counterHashes
        && bits == other.bits
        && bitHashes == other.bitHashes;
  }

  private static long filterBytes(int capacity, int windows, int counters, int bits) {
    long perWindow =
        PackedCounters.bytesFor(counters, counterWidth(capacity)) + CounterTail.maxBytes(capacity);
    return windows * perWindow + BitPlane.bytesFor(bits);
  }

  private static int hashesFor(String what, double error) {
    if (!(error > 0 && error < 1)) {
      throw new IllegalArgumentException(
          "Cannot lay out a multi Bloom filter: "
              + what
              + " was "
              + error
              + "; it must lie between 0 and 1");
    }
    return Math.max(1, (int) Math.ceil(-Math.log(error) / Math.log(2) - ROUNDING));
  }

  private static int cellsFor(long elements, int hashes) {
    double cells = Math.ceil(elements * hashes / Math.log(2));
    if (cells > MAX_CELLS) {
      throw new IllegalArgumentException(
          "Cannot lay out a multi Bloom filter: "
              + elements
              + " elements at "
              + hashes
              + " hashes need more than "
              + MAX_CELLS
              + " cells; choose smaller windows or a larger error");
    }
    return (int) cells;
  }

  private static void requireRange(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "Cannot lay out a multi Bloom filter: "
              + what
              + " was "
              + value
              + "; it must lie between "
              + least
              + " and "
              + most);
    }
  }
}
