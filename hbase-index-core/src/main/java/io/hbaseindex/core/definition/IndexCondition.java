/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a row has to be like to be in a partial index: comparisons of the newest values of its
 * columns with constants, all of which have to hold.
 *
 * <pre>
 * f:status=open                 it has this value
 * f:status=open|new             it has one of these
 * f:joined&gt;=2024 f:city^=Gr     both hold; ^= is "begins with"
 * f:joined&gt;=2024&lt;2025           between the two
 * f:email                       it has a value, whatever that is
 * </pre>
 *
 * <p>Values are compared byte by byte, as HBase's filters do. Bytes outside of printable ASCII and
 * the characters {@code \ , + : = < > ^ |} are written {@code \xHH}. A row without one of the
 * columns does not meet the condition. No index is made with one that no row can meet. Immutable.
 */
@InterfaceAudience.Public
public final class IndexCondition {
  /** What every row meets: the condition of an index that is not partial. */
  public static final IndexCondition NONE = new IndexCondition(List.of());

  /** How many parts a condition has at most. */
  public static final int MAX_CLAUSES = 8;

  /** How many characters the text of a condition has at most. */
  public static final int MAX_LENGTH = 4096;

  private final List<Clause> clauses;
  private final String text;

  private IndexCondition(List<Clause> clauses) {
    this.clauses = clauses;
    this.text = ConditionText.of(clauses);
    if (clauses.size() > MAX_CLAUSES || text.length() > MAX_LENGTH) {
      throw new DefinitionException(
          "Cannot define a condition of an index: it had %d parts and %d characters; use at most %d and %d"
              .formatted(clauses.size(), text.length(), MAX_CLAUSES, MAX_LENGTH));
    }
  }

  /**
   * Passes if some row can meet it.
   *
   * @throws DefinitionException if not; the message says which part to leave out
   */
  void requirePossible() {
    columns().forEach(this::requirePossible);
  }

  /**
   * Passes if some value of a column meets all that is asked of it. The values that do are ranges;
   * the smallest of them is the empty one, one that is compared with, or the next one after that.
   */
  private void requirePossible(ColumnRef column) {
    List<Clause> parts = clauses.stream().filter(part -> part.column().equals(column)).toList();
    Stream<byte[]> bounds =
        parts.stream()
            .flatMap(part -> part.alternatives().stream())
            .flatMap(List::stream)
            .map(Comparison::value)
            .flatMap(value -> Stream.of(value, Arrays.copyOf(value, value.length + 1)));
    if (Stream.concat(Stream.of(new byte[0]), bounds)
        .noneMatch(value -> parts.stream().allMatch(part -> part.isMetBy(value)))) {
      throw new DefinitionException(
          "Cannot define a condition of an index: it was \"%s\", which no value of %s meets; leave out a part of it"
              .formatted(ConditionText.of(parts), column));
    }
  }

  /** How a value compares with a constant. */
  @InterfaceAudience.Private
  public enum Operator {
    AT_MOST("<="),
    AT_LEAST(">="),
    STARTS_WITH("^="),
    EQUAL("="),
    LESS("<"),
    GREATER(">");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }
  }

  /** A value compares with a constant. */
  @InterfaceAudience.Private
  public record Comparison(Operator operator, byte[] value) {
    private boolean isMetBy(byte[] other) {
      int order = Arrays.compareUnsigned(other, value);
      return switch (operator) {
        case EQUAL -> order == 0;
        case STARTS_WITH ->
            other.length >= value.length
                && Arrays.equals(other, 0, value.length, value, 0, value.length);
        case LESS -> order < 0;
        case AT_MOST -> order <= 0;
        case GREATER -> order > 0;
        case AT_LEAST -> order >= 0;
      };
    }
  }

  /**
   * A part of a condition that is about one column, which the row has to have.
   *
   * @param alternatives one of them has to hold, with all its comparisons; none if any value will
   *     do
   */
  @InterfaceAudience.Private
  public record Clause(ColumnRef column, List<List<Comparison>> alternatives) {
    /** Copies the lists. */
    public Clause {
      alternatives = alternatives.stream().map(List::copyOf).toList();
    }

    private boolean isMetBy(byte[] value) {
      return alternatives.isEmpty()
          || alternatives.stream()
              .anyMatch(all -> all.stream().allMatch(comparison -> comparison.isMetBy(value)));
    }
  }

  /** The condition that all of these hold. */
  @InterfaceAudience.Private
  public static IndexCondition of(List<Clause> clauses) {
    return new IndexCondition(List.copyOf(clauses));
  }

  /**
   * Reads a condition.
   *
   * @throws DefinitionException if it is none; the message says what to write
   */
  public static IndexCondition parse(String text) {
    return of(ConditionText.parse(text));
  }

  /** Whether every row meets it. */
  public boolean isNone() {
    return clauses.isEmpty();
  }

  /** The columns that it is about. */
  public SortedSet<ColumnRef> columns() {
    SortedSet<ColumnRef> columns = new TreeSet<>();
    clauses.forEach(clause -> columns.add(clause.column()));
    return columns;
  }

  /** Its parts, all of which have to hold. */
  @InterfaceAudience.Private
  public List<Clause> clauses() {
    return clauses;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexCondition that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The condition as {@link #parse} reads it. */
  @Override
  public String toString() {
    return text;
  }
}
