/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.predicate.ValueRange;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** The part of a query that filters can judge: a tree over hashed elements and ranges. */
@InterfaceAudience.Private
public sealed interface RoutePredicate {
  /** The row has a posting with this element in this index. */
  record Element(IndexCoverage index, long hash) implements RoutePredicate {}

  /**
   * The row has a posting in this index whose first column, in its form, lies in a range.
   *
   * @param index all columns of the index
   * @param values rounded outward if its ends are longer than bounds are
   */
  record Range(IndexCoverage index, ValueRange values) implements RoutePredicate {
    public Range {
      values = values.roundedOut(ValuePrefixes.LENGTH);
    }
  }

  /** Every one of the parts holds; there is at least one. */
  record AllOf(List<RoutePredicate> parts) implements RoutePredicate {
    public AllOf {
      parts = requireParts(parts);
    }
  }

  /** At least one of the parts holds; there is at least one. */
  record AnyOf(List<RoutePredicate> parts) implements RoutePredicate {
    public AnyOf {
      parts = requireParts(parts);
    }
  }

  private static List<RoutePredicate> requireParts(List<RoutePredicate> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot make a route predicate: it has no parts; name at least one");
    }
    return List.copyOf(parts);
  }
}
