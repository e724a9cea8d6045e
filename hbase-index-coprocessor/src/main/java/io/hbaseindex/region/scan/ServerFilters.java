/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.FilterTrait;
import java.util.Set;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * Filters that HBase's own coprocessors put in front of a user's filter. They hide single cells,
 * the newest of a column among them, and judge each row by itself. Known by name, since they are
 * not public.
 */
final class ServerFilters {
  static final Set<String> HIDING_CELLS =
      Set.of(
          "org.apache.hadoop.hbase.security.access.AccessControlFilter",
          "org.apache.hadoop.hbase.security.visibility.VisibilityLabelFilter");

  private ServerFilters() {}

  static FilterTrait traitOf(Filter filter) {
    return HIDING_CELLS.contains(filter.getClass().getName())
        ? FilterTrait.VERSION_SELECTIVE
        : FilterTrait.UNKNOWN;
  }
}
