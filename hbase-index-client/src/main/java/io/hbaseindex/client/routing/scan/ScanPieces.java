/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.core.route.RowRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Cuts a scan into the parts that a plan leaves of it, in key order and without overlaps.
 *
 * <p>Regions whose filter answered are parts of their own, so that several can be read at once:
 * each most likely has rows to give. Neighbouring ranges without a filter stay together and are
 * read like any scan of HBase, one region after another.
 */
final class ScanPieces {
  private ScanPieces() {}

  static List<Scan> of(Scan scan, RoutePlan plan) {
    List<Scan> pieces = new ArrayList<>();
    RowRange open = null;
    for (RoutePlan.Part part : plan.parts()) {
      RowRange range = part.range();
      if (part.openReason().isPresent()) {
        if (open != null && touch(open, range)) {
          open = new RowRange(open.start(), range.end());
        } else {
          add(pieces, scan, open);
          open = range;
        }
      } else {
        add(pieces, scan, open);
        open = null;
        add(pieces, scan, range);
      }
    }
    add(pieces, scan, open);
    return pieces;
  }

  private static boolean touch(RowRange range, RowRange next) {
    return range.end().length != 0 && Arrays.equals(range.end(), next.start());
  }

  private static void add(List<Scan> pieces, Scan scan, RowRange range) {
    if (range != null) {
      Optional<Scan> piece = ScanBounds.within(scan, range);
      piece.ifPresent(pieces::add);
    }
  }
}
