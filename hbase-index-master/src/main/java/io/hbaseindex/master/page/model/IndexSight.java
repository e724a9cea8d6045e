/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One index of a table.
 *
 * @param columns the columns, as definitions write them
 * @param covered regions whose filter covers the index, so that it is complete there
 */
@InterfaceAudience.Private
public record IndexSight(String name, String columns, String mode, int covered) {}
