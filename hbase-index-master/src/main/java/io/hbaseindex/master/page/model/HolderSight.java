/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One holder of filters.
 *
 * @param name what it is: the master, or the number of a holder
 * @param server its server
 * @param sinceMillis when it began to hold filters, by its wall clock
 * @param trusting whether it trusts filters at all yet
 * @param leaseMillis how long trust lasts
 * @param filters what it holds
 */
@InterfaceAudience.Private
public record HolderSight(
    String name,
    String server,
    long sinceMillis,
    boolean trusting,
    long leaseMillis,
    Filters filters) {

  /**
   * The filters of a holder.
   *
   * @param regions regions that were announced to it
   * @param precise those whose filter is trusted
   * @param values distinct values in all filters, by estimate
   * @param bytes what the filters take
   * @param byteLimit what they may take, with those of other holders at the same server
   */
  public record Filters(long regions, long precise, long values, long bytes, long byteLimit) {}
}
