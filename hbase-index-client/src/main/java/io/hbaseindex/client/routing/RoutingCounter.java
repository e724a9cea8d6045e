/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import org.apache.yetus.audience.InterfaceAudience;

/** What a connection counts of its scans. */
@InterfaceAudience.Public
public enum RoutingCounter {
  /** Scans that were looked at, eligible or not. */
  SCANS("scans"),
  /** Scans narrowed by filters, whether or not that left regions out. */
  ROUTED("routed"),
  /** Routed scans for which every key range was judged by a filter. */
  PRECISE("precise"),
  /** Routed scans that had to look at key ranges without a filter to be trusted. */
  OPEN("open"),
  /** Routed scans that no region had to be asked for. */
  PRUNED_TO_NOTHING("prunedToNothing"),
  /** Scans that wanted a route and did not get one: everything was scanned. */
  FALLBACKS("fallbacks"),
  /** Routes that the master was asked for. */
  MASTER_ASKED("masterAsked"),
  /** Questions that were put again because the master, or the region that asks it, was busy. */
  ASKED_AGAIN("askedAgain"),
  /** Routes taken from a copy of the filters, without asking the master. */
  FROM_COPY("fromCopy"),
  /** Strong scans that began to read by a guess, while their route was asked for. */
  GUESSES("guesses"),
  /** Guesses that named all key ranges of the route. */
  GUESSES_CONFIRMED("guessesConfirmed"),
  /** Times that a copy of a table's filters was fetched or brought up to date. */
  COPY_REFRESHES("copyRefreshes"),
  /** Regions that routed scans left out. */
  REGIONS_SKIPPED("regionsSkipped"),
  /** Regions that routed scans had to look at because their filter said so. */
  REGIONS_POSITIVE("regionsPositive"),
  /** Announced regions that routed scans had to look at for want of a filter. */
  REGIONS_OPEN("regionsOpen");

  private final String metricName;

  RoutingCounter(String metricName) {
    this.metricName = metricName;
  }

  /** The name under which JMX shows this counter. */
  public String metricName() {
    return metricName;
  }
}
