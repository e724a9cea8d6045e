/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.common.query.FilterTrait;
import java.util.Set;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * The filters that HBase's own coprocessors put in front of a user's filter. They may hide the
 * newest cell of a column, and judge each row by itself. They are known by name, since they are not
 * public.
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
