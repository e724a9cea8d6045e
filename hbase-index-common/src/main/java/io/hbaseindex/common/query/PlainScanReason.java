/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Why a scan ran as if there were no index. Each reason is counted, so that no degradation is
 * silent.
 */
@InterfaceAudience.Public
public enum PlainScanReason {
  // Found in the scan itself, by client and region server alike.
  /** The scan has no filter, or its filter says nothing about values that an index could use. */
  NO_CONDITION("noCondition"),
  /** The filter contains one whose answer may depend on rows that jumping would skip. */
  UNKNOWN_FILTER("unknownFilter"),
  /** The filter may match a version that is not the newest; postings speak of the newest only. */
  OLDER_VERSIONS("olderVersions"),
  /** The scan's attribute switches the index off. */
  SWITCHED_OFF_FOR_SCAN("switchedOffForScan"),
  /** The scan wants deleted cells, too. */
  RAW_SCAN("rawScan"),
  /** The scan wants cells of writes that are under way. */
  UNCOMMITTED_READ("uncommittedRead"),
  /** The scan goes backwards. */
  REVERSED_SCAN("reversedScan"),
  /** The scan looks at the past: cells newer than its time range hide from it. */
  TIME_RANGE("timeRange"),
  /** The scan names the one row it wants. */
  SINGLE_ROW("singleRow"),

  // Found in the region.
  /** The server's or the table's setting switches indexes off. */
  SWITCHED_OFF_BY_CONFIGURATION("switchedOffByConfiguration"),
  /** The scan resumes at a read point below the region's: postings it needs may be gone. */
  OLD_READ_POINT("oldReadPoint"),
  /** The region is a replica, has no room for postings, or its definitions cannot be read. */
  REGION_NOT_INDEXED("regionNotIndexed"),
  /** The filter speaks of columns that no index serves. */
  NO_INDEX("noIndex"),
  /** An index would serve, but it is still being built, or cannot be built in this region. */
  INDEX_NOT_READY("indexNotReady"),
  /** Another coprocessor changed the scanner or its filter in a way that cannot be seen into. */
  FOREIGN_SCANNER("foreignScanner"),
  /** More than half of all rows match, so that walking is faster than jumping. */
  VALUE_IN_MOST_ROWS("valueInMostRows"),
  /** A range holds more postings than a scan may sort in memory. */
  TOO_MANY_CANDIDATES("tooManyCandidates"),
  /** Postings could not be read; the log of the region server says why. */
  INDEX_READ_FAILED("indexReadFailed"),
  /** Planning the scan failed; the log of the region server says why. */
  PLANNING_FAILED("planningFailed");

  private final String metricName;

  PlainScanReason(String metricName) {
    this.metricName = metricName;
  }

  /** The name under which registries and status calls show this reason. */
  public String metricName() {
    return metricName;
  }
}
