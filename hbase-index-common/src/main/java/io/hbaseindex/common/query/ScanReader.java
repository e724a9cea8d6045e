/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import io.hbaseindex.core.definition.IndexSettings;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Decides from a scan and its table alone whether an index may be used, and for which condition.
 * Client and region server ask the same reader. Stateless but for the table it was made for.
 */
@InterfaceAudience.Private
public final class ScanReader {
  private final TableDescriptor table;
  private final Function<Filter, FilterTrait> furtherTraits;
  private final boolean cellsMayHide;

  /** A reader that knows the filters of the HBase client library. */
  public static ScanReader of(TableDescriptor table) {
    return new ScanReader(table, filter -> FilterTrait.UNKNOWN, false);
  }

  /**
   * The same reader for a cluster where cell permissions or visibility labels may hide a newest
   * cell from a user, who then sees the one before. The region server knows by the filters that
   * HBase adds there; a client does not see those.
   */
  public static ScanReader whereCellsMayHide(TableDescriptor table) {
    return new ScanReader(table, filter -> FilterTrait.UNKNOWN, true);
  }

  /** A reader that knows further filters, such as those a region server adds to scans itself. */
  public static ScanReader knowing(
      TableDescriptor table, Function<Filter, FilterTrait> furtherTraits) {
    return new ScanReader(table, furtherTraits, false);
  }

  private ScanReader(
      TableDescriptor table, Function<Filter, FilterTrait> furtherTraits, boolean cellsMayHide) {
    this.table = table;
    this.furtherTraits = furtherTraits;
    this.cellsMayHide = cellsMayHide;
  }

  public ScanVerdict read(Scan scan) {
    Optional<PlainScanReason> reason = obstacle(scan);
    if (reason.isPresent()) {
      return new ScanVerdict.Plain(reason.get());
    }
    return new FilterPredicate(this::maxVersions, furtherTraits, cellsMayHide)
        .judge(scan.getFilter());
  }

  /** Why no index of any table can serve the scan; empty if one may. */
  public static Optional<PlainScanReason> obstacle(Scan scan) {
    if (!scan.hasFilter()) {
      return Optional.of(PlainScanReason.NO_CONDITION);
    }
    if (isSwitchedOff(scan)) {
      return Optional.of(PlainScanReason.SWITCHED_OFF_FOR_SCAN);
    }
    if (scan.isRaw()) {
      return Optional.of(PlainScanReason.RAW_SCAN);
    }
    if (scan.getIsolationLevel() == IsolationLevel.READ_UNCOMMITTED) {
      return Optional.of(PlainScanReason.UNCOMMITTED_READ);
    }
    if (scan.isReversed()) {
      return Optional.of(PlainScanReason.REVERSED_SCAN);
    }
    if (hidesNewestCells(scan)) {
      return Optional.of(PlainScanReason.TIME_RANGE);
    }
    return scan.isGetScan() ? Optional.of(PlainScanReason.SINGLE_ROW) : Optional.empty();
  }

  private static boolean isSwitchedOff(Scan scan) {
    byte[] useIndex = scan.getAttribute(IndexSettings.SCAN_USE_INDEX);
    return useIndex != null
        && new String(useIndex, StandardCharsets.UTF_8).strip().equalsIgnoreCase("false");
  }

  /**
   * A lower bound in time hides old cells before new ones and does no harm; an upper bound does.
   */
  private static boolean hidesNewestCells(Scan scan) {
    return hasUpperBound(scan.getTimeRange())
        || scan.getColumnFamilyTimeRange().values().stream().anyMatch(ScanReader::hasUpperBound);
  }

  private static boolean hasUpperBound(TimeRange range) {
    return range.getMax() != Long.MAX_VALUE;
  }

  private Integer maxVersions(byte[] family) {
    ColumnFamilyDescriptor descriptor = table.getColumnFamily(family);
    return descriptor == null ? null : descriptor.getMaxVersions();
  }
}
