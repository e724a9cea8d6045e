/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Everything the index counts, apart from the reasons of plain scans and refused writes.
 *
 * <p>The name is what a person reads in JMX and in the status of a region, so it is part of the
 * public surface: rename one only with a note in the release.
 */
@InterfaceAudience.Private
public enum IndexCounter {
  /** Scans whose scanner jumped from candidate to candidate. */
  SCANS_JUMPED("scansJumped"),
  /** Of those: scans that no posting named a candidate for; a filter keeps such scans away. */
  SCANS_IN_VAIN("scansInVain"),
  /** Scans that could not use an index; their reasons are counted beside this. */
  SCANS_PLAIN("scansPlain"),
  /** Scans that began to jump and fell back on the way, because jumping did not pay. */
  SCANS_CUT_OFF("scansCutOff"),
  /** Of those: because candidates lay side by side. */
  CUT_OFF_DENSE("scansCutOffDense"),
  /** Of those: because most candidates did not match. */
  CUT_OFF_STALE("scansCutOffStale"),
  /** Of those: because postings could not be read; the log says why. */
  CUT_OFF_READ_FAILED("scansCutOffReadFailed"),
  /** Scans whose first results came by a call that gathers them. */
  SCANS_GATHERED("scansGathered"),
  /** Scans that were answered by the number of their rows. */
  SCANS_COUNTED("scansCounted"),
  /** Rows that such scans counted because a posting answered for them; they were not read. */
  COUNTED_BY_POSTINGS("countedByPostings"),
  /** Rows that such scans counted because they were read and matched. */
  COUNTED_BY_ROWS("countedByRows"),
  /** Scans that were answered by their first rows in the order of a column. */
  SCANS_ORDERED("scansOrdered"),
  /** Rows that such scans found by going over postings in that order. */
  ORDERED_BY_POSTINGS("orderedByPostings"),
  /** Rows that such scans compared because no index had the order. */
  ORDERED_BY_ROWS("orderedByRows"),
  /** Rows that an index named as possible matches. */
  CANDIDATES("candidates"),
  /** Candidates whose row turned out not to hold the value any more. */
  STALE_CANDIDATES("staleCandidates"),
  /** Rows that scans returned from the cells that postings carry; they were not read. */
  ROWS_FROM_POSTINGS("rowsFromPostings"),
  /** Data rows that jumping scans read. */
  ROWS_READ("rowsRead"),
  /** Postings that scans read, live and dead. */
  POSTINGS_READ("postingsRead"),
  /** Postings that were read for filters, live and dead; scans read none of these. */
  FILTER_POSTINGS_READ("filterPostingsRead"),
  /** Postings written as live. */
  POSTINGS_WRITTEN_LIVE("postingsWrittenLive"),
  /** Postings written as dead. */
  POSTINGS_WRITTEN_DEAD("postingsWrittenDead"),
  /** Of those written as live: of cells that are no values of the type of their column. */
  POSTINGS_WRITTEN_UNDECODED("postingsWrittenUndecoded"),
  /** Mutations that were refused; their reasons are counted beside this. */
  WRITES_REFUSED("writesRefused"),
  /** Builds begun or resumed. */
  BUILDS_STARTED("buildsStarted"),
  /** Builds that were resumed from a checkpoint instead of the first row; part of the above. */
  BUILDS_RESUMED("buildsResumed"),
  /** Builds that reached the last row. */
  BUILDS_FINISHED("buildsFinished"),
  /** Rows that builds have gone through. */
  BUILD_ROWS("buildRows"),
  /** Errors that made a build wait and try again. */
  BUILD_RETRIES("buildRetries"),
  /**
   * Regions whose ledger did not match their files or log, so that nothing built before could be
   * trusted.
   */
  LEDGERS_DISTRUSTED("ledgersDistrusted"),
  /**
   * Writes and bulk loads of regions that publish no filter which waited, after the open, until
   * nobody could trust one of before.
   */
  OPENING_WAITS("openingWaits"),
  /** Writes of a ledger that failed, as often as they failed; each is tried again. */
  LEDGER_WRITES_FAILED("ledgerWritesFailed"),
  /** Possibly stale postings handed to the stale worker. */
  STALE_QUEUED("staleQueued"),
  /**
   * Possibly stale postings not handed over because the queue was full; a later reader finds them
   * again.
   */
  STALE_NOT_QUEUED("staleNotQueued"),
  /** Postings the stale worker marked dead. */
  STALE_ENDED("staleEnded"),
  /** Postings that compaction dropped because they were dead. */
  COMPACTION_DROPPED_DEAD("compactionDroppedDead"),
  /**
   * Postings that compaction dropped because they belonged to another incarnation or to a dropped
   * index.
   */
  COMPACTION_DROPPED_FOREIGN("compactionDroppedForeign"),
  /** Rows that a check left out because their postings cannot be told; the log names them. */
  ROWS_NOT_CHECKED("rowsNotChecked");

  private final String metricName;

  IndexCounter(String metricName) {
    this.metricName = metricName;
  }

  /** The name under which registries and status calls show this counter. */
  public String metricName() {
    return metricName;
  }
}
