/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.route.RowRange;
import java.util.HashMap;
import java.util.Map;

/** A region as HBase stores it: what of it survives the server that has it open. */
final class SimRegion {
  static final int KEYS = 48;

  final String name;
  final long regionId;
  final int low;
  final int high;
  long epoch;

  /** What is in the log and in memory, and what of it readers can see. */
  final Map<Integer, SimRow> written = new HashMap<>();

  final Map<Integer, SimRow> visible = new HashMap<>();

  SimRegion(String name, long regionId, int low, int high) {
    this.name = name;
    this.regionId = regionId;
    this.low = low;
    this.high = high;
  }

  static byte[] key(int row) {
    return new byte[] {(byte) row};
  }

  RegionIncarnation incarnation(String table) {
    byte[] start = low == 0 ? new byte[0] : key(low);
    byte[] end = high == KEYS ? new byte[0] : key(high);
    return new RegionIncarnation(table, name, regionId, epoch, new RowRange(start, end));
  }

  boolean holds(int row) {
    return low <= row && row < high;
  }

  /** Takes the rows of another region that belong to this one. */
  void inherit(SimRegion parent) {
    parent.written.forEach(
        (row, version) -> {
          if (holds(row)) {
            written.put(row, version);
          }
        });
  }

  /** What was written is what readers see: after recovery and after a clean close. */
  void recover() {
    visible.clear();
    visible.putAll(written);
  }
}
