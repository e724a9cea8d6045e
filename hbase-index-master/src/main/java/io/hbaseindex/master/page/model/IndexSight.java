/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One index of a table.
 *
 * @param columns the columns, as definitions write them, with their types where it has such
 * @param included the columns that it keeps beside them; empty if there are none
 * @param routes the sets of columns that queries are sent by, besides the whole; empty if there are
 *     none
 * @param covered regions whose filter covers the index, so that it is complete there
 * @param building how far the others are, as far as that is known
 */
@InterfaceAudience.Private
public record IndexSight(
    String name,
    String columns,
    String included,
    String routes,
    String mode,
    int covered,
    Building building) {}
