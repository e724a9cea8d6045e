/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import org.apache.yetus.audience.InterfaceAudience;

/** The reason why a scan reads all regions. Each reason is counted. */
@InterfaceAudience.Public
public enum UnroutedReason {
  // Nothing to be gained: the scan runs as HBase's own client would run it.
  /** Routing is switched off in the configuration of the connection. */
  SWITCHED_OFF("switchedOff", false),
  /** HBase's client cannot call endpoints: it is the one in hbase-shaded-client. */
  SHADED_CLIENT("shadedClient", false),
  /** The table is one of HBase's own. */
  SYSTEM_TABLE("systemTable", false),
  /** The scan names the region replica that it wants; the master knows of primaries only. */
  REPLICA_NAMED("replicaNamed", false),
  /** The scan cannot be served by an index, whatever the table; see the plan's other reason. */
  SCAN_NOT_ELIGIBLE("scanNotEligible", false),
  /**
   * No index of the table has the columns of this scan, or only partial ones whose condition it
   * does not imply.
   */
  NO_VALUE_FIXED("noValueFixed", false),
  /** The scan names a family that the table does not have; HBase refuses it. */
  UNKNOWN_FAMILY("unknownFamily", false),
  /** The scan wants batches of rows that its filter has to see whole, or the hidden family. */
  REFUSED_BY_SERVERS("refusedByServers", false),
  /** The table does not exist; HBase refuses the scan. */
  UNKNOWN_TABLE("unknownTable", false),

  // Every region has its own part of the answer, found by its index; several are asked at once.
  /** The scan asks an index for a range of values, which filters know nothing of. */
  RANGE_ASKED("rangeAsked", false),

  // A route would have helped and was not to be had: everything is scanned.
  /** The master did not answer in time. */
  MASTER_SLOW("masterSlow", true),
  /** The master could not be reached. */
  MASTER_UNREACHABLE("masterUnreachable", true),
  /** The master, or the region that asks it, had no room for the question, however often put. */
  MASTER_BUSY("masterBusy", true),
  /** The master failed several times in a row and is left alone for a while. */
  MASTER_LEFT_ALONE("masterLeftAlone", true),
  /** The master does not load the index endpoint. */
  NO_ENDPOINT("noEndpoint", true),
  /** The master did not accept what it was asked, for example because it is too large. */
  MASTER_REFUSED("masterRefused", true),
  /** The user may not read the whole table, so may not see its filters; HBase checks the scan. */
  ACCESS_DENIED("accessDenied", true),
  /** The table's descriptor changes faster than it can be read. */
  TABLE_CHANGING("tableChanging", true),
  /** The descriptor's index definitions cannot be read. */
  DEFINITIONS_UNREADABLE("definitionsUnreadable", true),
  /** The answer could not be read. */
  ANSWER_UNREADABLE("answerUnreadable", true);

  private final String metricName;
  private final boolean fallback;

  UnroutedReason(String metricName, boolean fallback) {
    this.metricName = metricName;
    this.fallback = fallback;
  }

  /** The name under which counters show this reason. */
  public String metricName() {
    return metricName;
  }

  /** Whether asking again soon would most likely cost time and fail again. */
  public boolean isMasterFailure() {
    return this == MASTER_SLOW || this == MASTER_UNREACHABLE || this == NO_ENDPOINT;
  }

  /** Whether regions are worth asking several at a time, since an index finds their rows. */
  public boolean isServedByIndex() {
    return fallback || this == RANGE_ASKED;
  }

  /** Whether a route was wanted and not to be had. */
  public boolean isFallback() {
    return fallback;
  }
}
