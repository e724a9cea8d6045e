package io.hbaseindex.core.definition;

/** Names of scan attributes and configuration keys that several modules agree on. */
public final class IndexSettings {
  /** Scan attribute: the text {@code false} makes one scan run as if there were no index. */
  public static final String SCAN_USE_INDEX = "hbaseindex.scan.use-index";

  /** Region server setting, re-read on configuration change: whether scans may use indexes. */
  public static final String SCANS_ENABLED = "hbaseindex.scan.enabled";

  /** Region server setting: how long a write waits for another write to the same row, in ms. */
  public static final String ROW_LOCK_WAIT_MS = "hbaseindex.write.row-lock-wait-ms";

  /** The class that table descriptors name as coprocessor of an indexed table. */
  public static final String REGION_OBSERVER_CLASS = "io.hbaseindex.region.IndexRegionObserver";

  private IndexSettings() {}
}
