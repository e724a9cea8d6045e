/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One index under one definition of it, in a table of one shape. A filter proves nothing about an
 * index unless it covers exactly these four numbers.
 *
 * @param index the index's id, never used for another one
 * @param version counts the definitions the index has had
 * @param seed the seed its elements are hashed with
 * @param shape the number of the table descriptor that a region runs with, or that a question was
 *     judged by. After a change of the table the regions take on the new descriptor one by one;
 *     what may be concluded from an absent value can differ between the old and the new one.
 */
@InterfaceAudience.Private
public record IndexCoverage(long index, long version, long seed, long shape) {}
