/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Events whose elements follow Zipf's law, with their exact counts: the oracle of the history
 * tests.
 *
 * <p>Element i occurs with probability proportional to 1 / (i + 1).
 */
final class SkewedStream {
  private final int[] elements;
  private final long[] times;
  private final int distinct;

  /** Per element, the times of its events, ascending. */
  private final long[][] timesOf;

  /**
   * @param disorder how far behind the newest event an event may be; 0 for ascending times
   */
  SkewedStream(int events, int distinct, int disorder, SplittableRandom random) {
    this.distinct = distinct;
    this.elements = new int[events];
    this.times = new long[events];
    double[] cumulated = new double[distinct];
    double sum = 0;
    for (int i = 0; i < distinct; i++) {
      sum += 1.0 / (i + 1);
      cumulated[i] = sum;
    }
    int[] occurrences = new int[distinct];
    for (int i = 0; i < events; i++) {
      int found = Arrays.binarySearch(cumulated, random.nextDouble(sum));
      elements[i] = Math.min(distinct - 1, found < 0 ? -found - 1 : found);
      times[i] = i - (disorder == 0 ? 0 : random.nextInt(disorder));
      occurrences[elements[i]]++;
    }
    timesOf = new long[distinct][];
    for (int i = 0; i < distinct; i++) {
      timesOf[i] = new long[occurrences[i]];
    }
    for (int i = 0; i < events; i++) {
      timesOf[elements[i]][--occurrences[elements[i]]] = times[i];
    }
    for (long[] each : timesOf) {
      Arrays.sort(each);
    }
  }

  int events() {
    return elements.length;
  }

  int distinct() {
    return distinct;
  }

  int element(int event) {
    return elements[event];
  }

  long time(int event) {
    return times[event];
  }

  static byte[] bytesOf(int element) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(element).array();
  }

  /** Exact number of events of an element; zero for elements that do not occur in the stream. */
  long count(int element, TimeSpan span) {
    if (element >= distinct) {
      return 0;
    }
    long[] sorted = timesOf[element];
    return firstFrom(sorted, span.last() + 1) - firstFrom(sorted, span.first());
  }

  private static int firstFrom(long[] sorted, long time) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
