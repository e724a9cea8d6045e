/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Everything one page shows.
 *
 * @param question what was asked for
 * @param holders who holds the filters
 * @param now how things stand
 * @param history what was counted before, oldest first
 * @param tables the tables of this page
 * @param tablesInAll how many tables have indexes
 * @param next the first table of the next page, if there is one
 * @param explained the answer to the condition of the question, if it had one
 */
@InterfaceAudience.Private
public record PageModel(
    PageQuestion question,
    List<HolderSight> holders,
    HistorySample now,
    List<HistorySample> history,
    List<TableSight> tables,
    int tablesInAll,
    Optional<String> next,
    Optional<Explained> explained) {
  public PageModel {
    holders = List.copyOf(holders);
    history = List.copyOf(history);
    tables = List.copyOf(tables);
  }
}
