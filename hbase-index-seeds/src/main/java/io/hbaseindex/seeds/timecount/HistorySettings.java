/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a history is opened with.
 *
 * @param parameters shape of the filters
 * @param windowing how the stream is cut into windows
 * @param seed random seed of the hashes; a store keeps to the one it was first written with
 * @param memoryBytes bound on the filters held in memory; what the open ones do not need is a cache
 *     for stored ones. A query or merge takes up to three stored filters more while it runs
 * @param maxFilters bound on the number of stored filters; when it is reached none is added
 */
@InterfaceAudience.Private
public record HistorySettings(
    MbfParameters parameters, Windowing windowing, long seed, long memoryBytes, int maxFilters) {
  /** Finding the filters of a time span looks at the headers of all. */
  public static final int DEFAULT_MAX_FILTERS = 1 << 16;

  public HistorySettings {
    long open = openBytes(parameters, windowing);
    if (memoryBytes < open) {
      throw new IllegalArgumentException(
          "Cannot open a history: memory was "
              + memoryBytes
              + " bytes, its open filters may need "
              + open
              + "; allow more, or choose smaller windows or less lateness");
    }
    if (maxFilters < 1) {
      throw new IllegalArgumentException(
          "Cannot open a history: the most filters was " + maxFilters + "; it must be at least 1");
    }
  }

  /** Bytes left for stored filters. */
  long cacheBytes() {
    return memoryBytes - openBytes(parameters, windowing);
  }

  private static long openBytes(MbfParameters parameters, Windowing windowing) {
    return OpenFilters.maxFilters(windowing) * parameters.filterBytes();
  }
}
