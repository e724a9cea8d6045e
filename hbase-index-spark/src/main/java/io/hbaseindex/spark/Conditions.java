/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.Condition;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.core.definition.ColumnRef;
import java.util.List;

/** What conditions say of columns. */
final class Conditions {
  private Conditions() {}

  /** Whether only rows that have the column meet all of the conditions. */
  static boolean require(List<Condition> conditions, ColumnRef column) {
    return conditions.stream().anyMatch(condition -> requires(condition, column));
  }

  private static boolean requires(Condition condition, ColumnRef column) {
    if (condition instanceof Condition.All all) {
      return require(all.parts(), column);
    }
    if (condition instanceof Condition.Any any) {
      return any.parts().stream().allMatch(part -> requires(part, column));
    }
    boolean absent = condition instanceof Condition.Presence presence && !presence.present();
    return !absent && refOf(condition).equals(column);
  }

  /**
   * What every value of a column meets. Unlike {@link Column#isPresent}, whose opposite is that
   * there is no value, it is neither true nor false of a row without one, as comparisons are.
   */
  static Condition anyValue(Column column) {
    return column.atLeast(Value.of(new byte[0]));
  }

  /** One of the columns that a condition speaks of. */
  static Column columnOf(Condition condition) {
    ColumnRef ref = refOf(condition);
    return Column.of(ref.family(), ref.qualifier());
  }

  private static ColumnRef refOf(Condition condition) {
    if (condition instanceof Condition.All all) {
      return refOf(all.parts().get(0));
    }
    if (condition instanceof Condition.Any any) {
      return refOf(any.parts().get(0));
    }
    if (condition instanceof Condition.Compare compare) {
      return compare.column();
    }
    return condition instanceof Condition.Like like
        ? like.column()
        : ((Condition.Presence) condition).column();
  }
}
