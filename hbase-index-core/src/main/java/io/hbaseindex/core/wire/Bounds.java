/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.RegionBounds;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Bounds of the values of indexes.
 *
 * <pre>
 *   bounds  uint8 1 if indexes that are not named may have any value, 0 if they have none
 *           var n │ n × (var index │ range), by rising index
 *   range   bytes lower │ uint8 0, or uint8 1 │ bytes upper, which is not in it
 * </pre>
 */
final class Bounds {
  /** A range has two bytes at least, and an index one. */
  private static final int LEAST_BYTES = 3;

  private Bounds() {}

  static void write(WireWriter out, RegionBounds bounds) {
    out.bool(bounds.anyOfOthers());
    out.var(bounds.named().size());
    new TreeMap<>(bounds.named())
        .forEach(
            (index, range) -> {
              out.var(index);
              write(out, range);
            });
  }

  static void write(WireWriter out, ValueRange range) {
    out.bytes(range.lower());
    out.bool(range.upper().isPresent());
    range.upper().ifPresent(out::bytes);
  }

  static RegionBounds read(WireReader in) {
    boolean anyOfOthers = in.bool();
    Map<Integer, ValueRange> named = new TreeMap<>();
    for (int left = in.count(LEAST_BYTES); left > 0; left--) {
      named.put(in.varInt(), readRange(in));
    }
    return RegionBounds.of(named, anyOfOthers);
  }

  static ValueRange readRange(WireReader in) {
    byte[] lower = in.bytes();
    return ValueRange.from(lower, in.bool() ? Optional.of(in.bytes()) : Optional.empty());
  }
}
