/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import io.hbaseindex.core.definition.IndexCondition.Clause;
import io.hbaseindex.core.definition.IndexCondition.Comparison;
import io.hbaseindex.core.definition.IndexCondition.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The condition of a partial index as text, see {@link IndexCondition}.
 *
 * <pre>
 * condition   = clause { " " clause }
 * clause      = column [ alternative { "|" ( alternative | value ) } ]
 * alternative = sign value { sign value }
 * sign        = "=" | "^=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;="
 * </pre>
 *
 * <p>A value without a sign, behind a bar, stands for one that is equal.
 */
final class ConditionText {
  private static final String SIGNS = "=<>^";

  private ConditionText() {}

  static List<Clause> parse(String text) {
    List<Clause> clauses = new ArrayList<>();
    for (String clause : text.strip().split("\\s+")) {
      clauses.add(parseClause(clause));
    }
    return clauses;
  }

  private static Clause parseClause(String text) {
    int end = valueEnd(text, 0);
    ColumnRef column = ColumnRef.parse(text.substring(0, end));
    List<List<Comparison>> alternatives = new ArrayList<>();
    if (end < text.length()) {
      if (text.charAt(end) == '|') {
        throw unreadable(text);
      }
      for (String alternative : text.substring(end).split("\\|", -1)) {
        alternatives.add(parseAlternative(alternative, text));
      }
    }
    return new Clause(column, alternatives);
  }

  private static List<Comparison> parseAlternative(String text, String clause) {
    List<Comparison> comparisons = new ArrayList<>();
    int at = 0;
    do {
      Operator operator = operatorAt(text, at, clause);
      at += at == 0 && !startsWithSign(text) ? 0 : operator.sign().length();
      int end = valueEnd(text, at);
      comparisons.add(new Comparison(operator, PrintableBytes.parse(text.substring(at, end))));
      at = end;
    } while (at < text.length());
    return comparisons;
  }

  private static boolean startsWithSign(String text) {
    return !text.isEmpty() && SIGNS.indexOf(text.charAt(0)) >= 0;
  }

  private static Operator operatorAt(String text, int at, String clause) {
    if (at == 0 && !startsWithSign(text)) {
      return Operator.EQUAL;
    }
    for (Operator operator : Operator.values()) {
      if (text.startsWith(operator.sign(), at)) {
        return operator;
      }
    }
    throw unreadable(clause);
  }

  private static int valueEnd(String text, int from) {
    int end = from;
    while (end < text.length() && SIGNS.indexOf(text.charAt(end)) < 0 && text.charAt(end) != '|') {
      end++;
    }
    return end;
  }

  private static DefinitionException unreadable(String clause) {
    return new DefinitionException(
        "condition was \"%s\"; write it as a column and how its value compares, = ^= < <= > >=, for example f:status=open|new, and other uses of these signs as \\xHH"
            .formatted(clause));
  }

  static String of(List<Clause> clauses) {
    return clauses.stream().map(ConditionText::text).collect(Collectors.joining(" "));
  }

  private static String text(Clause clause) {
    ColumnRef column = clause.column();
    StringBuilder text = new StringBuilder(PrintableBytes.printInCondition(column.family()));
    text.append(':').append(PrintableBytes.printInCondition(column.qualifier()));
    String bar = "";
    for (List<Comparison> alternative : clause.alternatives()) {
      text.append(bar);
      for (Comparison comparison : alternative) {
        boolean listed = !bar.isEmpty() && alternative.size() == 1;
        boolean bare = listed && comparison.operator() == Operator.EQUAL;
        text.append(bare ? "" : comparison.operator().sign());
        text.append(PrintableBytes.printInCondition(comparison.value()));
      }
      bar = "|";
    }
    return text.toString();
  }
}
