/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One index under one definition of it. A filter proves nothing about an index unless it covers
 * exactly these three numbers.
 *
 * @param index the index's id, never used for another one
 * @param version counts the definitions the index has had
 * @param seed the seed its elements are hashed with
 */
@InterfaceAudience.Private
public record IndexCoverage(long index, long version, long seed) {}
