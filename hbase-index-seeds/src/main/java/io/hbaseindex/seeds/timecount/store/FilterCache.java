/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import io.hbaseindex.seeds.timecount.filter.MultiBloomFilter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Closed filters in memory, up to a number of bytes; the least recently used ones leave first. */
final class FilterCache {
  private final long capacityBytes;
  private final Map<MbfId, MultiBloomFilter> filters = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  FilterCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** The filter, or null. */
  MultiBloomFilter get(MbfId id) {
    return filters.get(id);
  }

  /** Keeps a filter, unless it alone is more than there is room for. */
  void put(MbfId id, MultiBloomFilter filter) {
    remove(id);
    if (filter.bytes() > capacityBytes) {
      return;
    }
    filters.put(id, filter);
    bytes += filter.bytes();
    Iterator<MultiBloomFilter> eldest = filters.values().iterator();
    while (bytes > capacityBytes) {
      bytes -= eldest.next().bytes();
      eldest.remove();
    }
  }

  void remove(MbfId id) {
    MultiBloomFilter old = filters.remove(id);
    if (old != null) {
      bytes -= old.bytes();
    }
  }

  long bytes() {
    return bytes;
  }
}
