/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.ValuePrefixes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Bounds of the values of indexes.
 *
 * <pre>
 *   bounds    uint8 1 if indexes that are not named may have any value, 0 if they have none
 *             var n │ n × (var index │ prefixes), by rising index
 *   prefixes  var n │ n × bytes block ({@link ValuePrefixes})
 * </pre>
 */
final class Bounds {
  private Bounds() {}

  static void write(WireWriter out, RegionBounds bounds) {
    out.bool(bounds.anyOfOthers());
    out.var(bounds.named().size());
    bounds
        .named()
        .forEach(
            (index, prefixes) -> {
              out.var(index);
              out.var(prefixes.blocks().size());
              prefixes.blocks().forEach(out::bytes);
            });
  }

  static RegionBounds read(WireReader in) {
    boolean anyOfOthers = in.bool();
    Map<Integer, ValuePrefixes> named = new TreeMap<>();
    for (int left = in.count(2); left > 0; left--) {
      named.put(in.varInt(), readPrefixes(in));
    }
    return RegionBounds.of(named, anyOfOthers);
  }

  private static ValuePrefixes readPrefixes(WireReader in) {
    List<byte[]> blocks = new ArrayList<>();
    for (int left = in.count(2); left > 0; left--) {
      blocks.add(in.bytes());
    }
    return ValuePrefixes.ofBlocks(blocks);
  }

  static void write(WireWriter out, ValueRange range) {
    out.bytes(range.lower());
    out.bool(range.upper().isPresent());
    range.upper().ifPresent(out::bytes);
  }

  static ValueRange readRange(WireReader in) {
    byte[] lower = in.bytes();
    return ValueRange.from(lower, in.bool() ? Optional.of(in.bytes()) : Optional.empty());
  }

  /** Reads over what stored filters of an earlier release have: a range of each index. */
  static void skipRanges(WireReader in) {
    in.bool();
    for (int left = in.count(3); left > 0; left--) {
      in.varInt();
      readRange(in);
    }
  }
}
