/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexCondition.Clause;
import io.hbaseindex.core.definition.IndexCondition.Comparison;
import io.hbaseindex.core.definition.IndexCondition.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Turns a condition into that of a partial index: the same comparisons of bytes as in the filter of
 * {@link ConditionFilter}, so that a query with this condition implies that of the index.
 */
final class ConditionClauses {
  private ConditionClauses() {}

  static List<Clause> of(Condition condition) {
    List<Condition> parts =
        condition instanceof Condition.All all ? all.parts() : List.of(condition);
    return parts.stream().map(ConditionClauses::clause).toList();
  }

  private static Clause clause(Condition part) {
    Set<ColumnRef> columns = ConditionFilter.columnsOf(part);
    if (columns.size() != 1) {
      throw refused(part, "it joins several columns by \"or\"");
    }
    ColumnRef column = columns.iterator().next();
    if (part instanceof Condition.Presence presence && presence.present()) {
      return new Clause(column, List.of());
    }
    List<Condition> alternatives = part instanceof Condition.Any any ? any.parts() : List.of(part);
    return new Clause(column, alternatives.stream().map(ConditionClauses::comparisons).toList());
  }

  private static List<Comparison> comparisons(Condition alternative) {
    List<Condition> leaves =
        alternative instanceof Condition.All all ? all.parts() : List.of(alternative);
    List<Comparison> comparisons = new ArrayList<>();
    for (Condition leaf : leaves) {
      if (!(leaf instanceof Condition.Compare compare)) {
        throw refused(leaf, "it is no comparison with a value");
      }
      comparisons.add(comparison(compare));
    }
    return comparisons;
  }

  private static Comparison comparison(Condition.Compare compare) {
    if (compare.value().order() == Value.ByteOrder.DECIMAL) {
      throw refused(compare, "decimals are not compared by their bytes");
    }
    byte[] value = compare.value().bytes();
    return switch (compare.operator()) {
      case EQUAL -> new Comparison(compare.prefix() ? Operator.STARTS_WITH : Operator.EQUAL, value);
      case LESS -> new Comparison(Operator.LESS, value);
      case LESS_OR_EQUAL -> new Comparison(Operator.AT_MOST, value);
      case GREATER -> new Comparison(Operator.GREATER, value);
      case GREATER_OR_EQUAL -> new Comparison(Operator.AT_LEAST, value);
      case NOT_EQUAL, NO_OP -> throw refused(compare, "queries that exclude a value use no index");
    };
  }

  private static DefinitionException refused(Condition part, String why) {
    return new DefinitionException(
        "Cannot make %s the condition of an index: %s; use =, in, <, <=, >, >=, between, starts with and is not null, on one column each, joined by \"and\""
            .formatted(part, why));
  }
}
