/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** The part of a query that filters can judge: a tree over hashed elements. */
@InterfaceAudience.Private
public sealed interface RoutePredicate {
  /** The row has a posting with this element in this index. */
  record Element(IndexCoverage index, long hash) implements RoutePredicate {}

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
