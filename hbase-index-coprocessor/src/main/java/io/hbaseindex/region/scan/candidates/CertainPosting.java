/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * A posting that answers for its row.
 *
 * @param key its index row key
 * @param value the value of its cell, with the cells of the row that it carries; empty if nobody
 *     wants those, or there was no memory to keep them
 */
@InterfaceAudience.Private
public record CertainPosting(byte[] key, byte[] value) {}
