/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import org.apache.yetus.audience.InterfaceAudience;

/** Names of scan attributes and configuration keys that several modules agree on. */
@InterfaceAudience.Private
public final class IndexSettings {
  /** Scan attribute: the text {@code false} makes one scan run as if there were no index. */
  public static final String SCAN_USE_INDEX = "hbaseindex.scan.use-index";

  /**
   * Scan attribute: an id of the client's choosing, up to 64 bytes. Regions keep what they did for
   * such a scan for a few minutes, to be asked for by that id.
   */
  public static final String SCAN_TRACE = "hbaseindex.scan.trace";

  /** Attribute of a scan that asks for the number of its rows in place of the rows. */
  public static final String SCAN_COUNT = "hbaseindex.scan.count";

  /** Attribute of a scan that asks how many of its rows show each value of a column. */
  public static final String SCAN_GROUP_BY = "hbaseindex.scan.group-by";

  /** Attribute of a scan that asks what a column of its rows adds up to. */
  public static final String SCAN_SUM = "hbaseindex.scan.sum";

  /** Attribute of a scan that asks each region for its first rows in the order of a column. */
  public static final String SCAN_ORDER_BY = "hbaseindex.scan.order-by";

  /** Attribute of such a scan: the place behind which its rows are to be. */
  public static final String SCAN_ORDER_AFTER = "hbaseindex.scan.order-after";

  /** Region server setting, re-read on configuration change: whether scans may use indexes. */
  public static final String SCANS_ENABLED = "hbaseindex.scan.enabled";

  /** Region server setting: how long a write waits for another write to the same row, in ms. */
  public static final String ROW_LOCK_WAIT_MS = "hbaseindex.write.row-lock-wait-ms";

  /** The class that table descriptors name as coprocessor of an indexed table. */
  public static final String REGION_OBSERVER_CLASS = "io.hbaseindex.region.IndexRegionObserver";

  /**
   * Region server setting, re-read for each scan: memory for the postings of ranges that one scan
   * may read and sort before its first row, in bytes; with more it runs plainly.
   */
  public static final String SCAN_MAX_SORTED_BYTES = "hbaseindex.scan.max-sorted-bytes";

  /**
   * Region server setting, re-read for each scan: how many candidates a scan jumps to in one region
   * before it begins to ask whether jumping pays.
   */
  public static final String SCAN_CUT_OFF_AFTER = "hbaseindex.scan.cut-off-after";

  /** The class that table descriptors name as split policy of an indexed table. */
  public static final String SPLIT_POLICY_CLASS =
      "io.hbaseindex.region.lifecycle.IndexedRegionSplitPolicy";

  /**
   * Table attribute: the split policy that the table had before it was indexed, and that still
   * decides when to split.
   */
  public static final String WRAPPED_SPLIT_POLICY = "hbaseindex.split-policy";

  /**
   * Setting of all servers, the same on each: how long a write may have to wait for the master, in
   * ms, before its region goes on without it.
   */
  public static final String PUBLISH_LEASE_MS = "hbaseindex.publish.lease-ms";

  /**
   * Region server setting and table attribute: whether regions publish their filters to the master;
   * they do unless it says {@code false}.
   */
  public static final String PUBLISH_ENABLED = "hbaseindex.publish.enabled";

  /**
   * Region server setting and table attribute, read when a region opens: the share of absent values
   * for which a region's filter may answer that it holds them. Less takes more memory.
   */
  public static final String FILTER_ERROR = "hbaseindex.publish.filter-error";

  /**
   * Region server setting: direct memory for the filters of all its regions, in bytes; regions
   * beyond it are open.
   */
  public static final String PUBLISH_FILTER_BYTES = "hbaseindex.publish.filter-bytes";

  /** Master setting: heap for the filters of all regions, in bytes; regions beyond it are open. */
  public static final String MASTER_FILTER_BYTES = "hbaseindex.master.filter-bytes";

  /**
   * Region server setting: heap for the filters that its regions of the holders' table keep, in
   * bytes; filters beyond it are open.
   */
  public static final String HOLDER_FILTER_BYTES = "hbaseindex.holder.filter-bytes";

  /** Master setting: pushes of region servers answered at the same time; more are refused. */
  public static final String MASTER_MAX_PUSHES = "hbaseindex.master.max-pushes";

  /** Master setting: routes of clients answered at the same time; more are refused. */
  public static final String MASTER_MAX_ROUTES = "hbaseindex.master.max-routes";

  private IndexSettings() {}
}
