/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.predicate.RowPredicate;
import java.util.NavigableSet;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells which columns a scan reads. */
@InterfaceAudience.Private
public final class ReadColumns {
  private ReadColumns() {}

  /** Whether the scan reads all columns of the condition: else its filter refuses good rows. */
  public static boolean include(Scan scan, RowPredicate predicate) {
    return of(predicate).allMatch(column -> include(scan, column));
  }

  public static boolean include(Scan scan, ColumnRef column) {
    NavigableSet<byte[]> qualifiers = scan.getFamilyMap().get(column.family());
    return scan.getFamilyMap().containsKey(column.family())
        && (qualifiers == null || qualifiers.contains(column.qualifier()));
  }

  /** Whether nothing but the filter keeps a newest cell from the scan. */
  public static boolean areWhole(Scan scan) {
    return scan.getTimeRange().isAllTime()
        && scan.getColumnFamilyTimeRange().isEmpty()
        && scan.getMaxResultsPerColumnFamily() < 0
        && scan.getRowOffsetPerColumnFamily() == 0;
  }

  /** The columns of a condition. */
  public static Stream<ColumnRef> of(RowPredicate predicate) {
    if (predicate instanceof RowPredicate.All all) {
      return all.parts().stream().flatMap(ReadColumns::of);
    }
    if (predicate instanceof RowPredicate.Any any) {
      return any.parts().stream().flatMap(ReadColumns::of);
    }
    return Stream.of(((RowPredicate.Column) predicate).column());
  }
}
