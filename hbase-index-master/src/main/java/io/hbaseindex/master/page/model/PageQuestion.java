/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a visitor asks the page for.
 *
 * @param table the one table to show; all of them if there is none
 * @param from the first table to show where there are too many for one page
 * @param where a condition to explain on the table; empty for none
 * @param user who asks, if the web UI knows
 */
@InterfaceAudience.Private
public record PageQuestion(
    Optional<String> table, String from, String where, Optional<String> user) {}
