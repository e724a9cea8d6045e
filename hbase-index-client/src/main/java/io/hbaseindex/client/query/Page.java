/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Some rows of a query, and how to get those that follow.
 *
 * @param rows the rows, in row order or in that of the query
 * @param next give this to {@link QueryClient#page} for the next page; empty after the last one.
 *     Plain text that may be kept for as long as one likes and used by any other process.
 */
@InterfaceAudience.Public
public record Page(List<FoundRow> rows, Optional<String> next) {
  static final Page END = new Page(List.of(), Optional.empty());

  /** Copies the list. */
  public Page {
    rows = List.copyOf(rows);
  }
}
