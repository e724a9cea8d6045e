/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One holder of filters.
 *
 * @param server its name
 * @param sinceMillis when it began to hold filters, by its wall clock
 * @param trusting whether it trusts filters at all yet
 * @param leaseMillis how long trust lasts
 * @param filterBytes what the filters take
 * @param filterByteLimit what they may take
 */
@InterfaceAudience.Private
public record HolderSight(
    String server,
    long sinceMillis,
    boolean trusting,
    long leaseMillis,
    long filterBytes,
    long filterByteLimit) {}
