package io.hbaseindex.region.metrics;

/**
 * Why a scan ran as if there were no index. Each reason is counted, so that no degradation is
 * silent.
 */
public enum PlainScanReason {
  SWITCHED_OFF_FOR_SCAN("switchedOffForScan"),
  SWITCHED_OFF_BY_CONFIGURATION("switchedOffByConfiguration"),
  /** No condition of the filter is about an indexed column. */
  NO_INDEXED_CONDITION("noIndexedCondition"),
  /** The filter holds a part whose meaning is unknown or depends on the rows it has seen. */
  UNKNOWN_FILTER("unknownFilter"),
  /** A row that lacks the column would match, or older versions would be compared. */
  CONDITION_NOT_SERVED("conditionNotServed"),
  RAW_SCAN("rawScan"),
  UNCOMMITTED_READ("uncommittedRead"),
  TIME_RANGE("timeRange"),
  /** The scanner continues one that was opened elsewhere, at an older read point. */
  OLD_READ_POINT("oldReadPoint"),
  REPLICA("replica"),
  /** The index that would serve is still being built, or cannot be built in this region. */
  INDEX_NOT_READY("indexNotReady"),
  TOO_MANY_CANDIDATES("tooManyCandidates"),
  /** Any other; the log of the region server tells more. */
  OTHER("other");

  private final String metricName;

  PlainScanReason(String metricName) {
    this.metricName = metricName;
  }

  /** The name under which registries and status calls show this reason. */
  public String metricName() {
    return metricName;
  }
}
