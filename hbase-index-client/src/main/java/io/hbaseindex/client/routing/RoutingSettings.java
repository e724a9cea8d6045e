/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of a connection that routes.
 *
 * @param enabled whether scans are routed at all
 * @param timeoutMillis how long a scan waits for its route; then everything is scanned
 * @param firstTimeoutMillis how long the first scans of a connection wait together, if that is
 *     longer: whoever asks first has to find the master
 * @param parallelism how many candidate regions of one scan are read at once
 * @param threads how many threads all scans of a connection share for that
 * @param stalenessMillis how old the filters may be that a scan is routed by; 0 for none
 * @param guessMillis how old the copy of the filters should be at most by which strong scans guess
 *     where to begin; 0 if none is fetched for that
 * @param filtersTimeoutMillis how long fetching a copy of a table's filters may take; scans do not
 *     wait so long
 * @param copyBytes heap for copies of filters; what does not fit is routed by the master
 */
@InterfaceAudience.Public
public record RoutingSettings(
    boolean enabled,
    long timeoutMillis,
    long firstTimeoutMillis,
    int parallelism,
    int threads,
    long stalenessMillis,
    long guessMillis,
    long filtersTimeoutMillis,
    long copyBytes) {

  /** Enough for a copy as large as the master sends, over a slow network. */
  private static final long DEFAULT_FILTERS_TIMEOUT_MILLIS = 30_000;

  /** Connection setting: {@code false} makes scans run as HBase's own client runs them. */
  public static final String ENABLED = "hbaseindex.client.route.enabled";

  /** Connection setting: how long a scan waits for its route, in ms. */
  public static final String TIMEOUT_MS = "hbaseindex.client.route.timeout-ms";

  /**
   * Connection setting: how long scans wait for their routes, in ms, from the first one on until
   * one has come. A connection that has not been used yet has to find the master first.
   */
  public static final String FIRST_TIMEOUT_MS = "hbaseindex.client.route.first-timeout-ms";

  /** Connection setting: how many candidate regions of one scan are read at once; 1 for no more. */
  public static final String PARALLELISM = "hbaseindex.client.scan.parallelism";

  /** Connection setting: threads that all scans of the connection share for reading ahead. */
  public static final String THREADS = "hbaseindex.client.scan.threads";

  /**
   * Connection setting and scan attribute (as text): a scan may miss writes that are younger than
   * this many ms; 0, the default, is strong.
   */
  public static final String STALENESS_MS = "hbaseindex.client.staleness-ms";

  /**
   * Connection setting: strong scans begin to read where a copy of the filters sees their rows,
   * while the holder of the filters is asked; such a copy is fetched, and again when it is older
   * than this many ms. 0, the default, fetches none for that.
   */
  public static final String GUESS_MS = "hbaseindex.client.guess-ms";

  /** Connection setting: heap for the copies of filters that such scans are routed by, in bytes. */
  public static final String COPY_BYTES = "hbaseindex.client.filters.max-bytes";

  /** Connection setting: how long fetching such a copy may take, in ms; scans wait less. */
  public static final String FILTERS_TIMEOUT_MS = "hbaseindex.client.filters.timeout-ms";

  /** Reads the settings of a connection. */
  public static RoutingSettings of(Configuration conf) {
    return new RoutingSettings(
        conf.getBoolean(ENABLED, true),
        atLeast(1, conf.getLong(TIMEOUT_MS, 1_000), TIMEOUT_MS),
        atLeast(0, conf.getLong(FIRST_TIMEOUT_MS, 5_000), FIRST_TIMEOUT_MS),
        (int) atLeast(1, conf.getInt(PARALLELISM, 4), PARALLELISM),
        (int) atLeast(1, conf.getInt(THREADS, 16), THREADS),
        atLeast(0, conf.getLong(STALENESS_MS, 0), STALENESS_MS),
        atLeast(0, conf.getLong(GUESS_MS, 0), GUESS_MS),
        atLeast(
            1,
            conf.getLong(FILTERS_TIMEOUT_MS, DEFAULT_FILTERS_TIMEOUT_MILLIS),
            FILTERS_TIMEOUT_MS),
        atLeast(0, conf.getLong(COPY_BYTES, 64L << 20), COPY_BYTES));
  }

  /** How long a scan waits for a copy of filters: what is left is for asking the master instead. */
  public long copyWaitMillis() {
    return timeoutMillis / 2;
  }

  /** How old the filters may be that this scan is routed by. */
  public long stalenessMillis(Scan scan) {
    byte[] own = scan.getAttribute(STALENESS_MS);
    if (own == null) {
      return stalenessMillis;
    }
    String text = new String(own, StandardCharsets.UTF_8).strip();
    try {
      return atLeast(0, Long.parseLong(text), STALENESS_MS);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Cannot scan: attribute " + STALENESS_MS + " was " + text + "; give milliseconds", e);
    }
  }

  /** Refuses a scan whose own setting makes no sense, rather than guess what was meant. */
  public void requireReadable(Scan scan) {
    stalenessMillis(scan);
  }

  private static long atLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(
          "Cannot route scans: " + name + " was " + value + "; give at least " + least);
    }
    return value;
  }
}
