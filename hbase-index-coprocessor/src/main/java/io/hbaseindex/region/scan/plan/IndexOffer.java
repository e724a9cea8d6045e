/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.FormRanges;
import io.hbaseindex.core.predicate.IndexScope;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.RowPredicate.Subject;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one index can do for a set of ranges that must all hold.
 *
 * @param fixed values of the leading columns, in their form
 * @param next ranges of forms of the column behind them; none if all of it is taken
 * @param isBounded whether there are ranges, with two ends
 * @param covered what is said by these, or by the condition of the index
 */
record IndexOffer(
    IndexDefinition index,
    List<byte[]> fixed,
    List<ValueRange> next,
    boolean isBounded,
    List<Subject> covered) {
  private static final Comparator<IndexOffer> BEST_FIRST =
      Comparator.comparing(IndexOffer::isLookup)
          .thenComparing(use -> use.fixed().size())
          .thenComparing(IndexOffer::isBounded)
          .thenComparing(use -> use.covered().size())
          .reversed();

  /** What those indexes can do that are of any use, the best by the rules first. */
  static List<IndexOffer> offers(Map<Subject, ValueRange> ranges, List<IndexDefinition> indexes) {
    List<IndexOffer> offers = new ArrayList<>();
    for (IndexDefinition index : indexes) {
      IndexOffer use = of(index, ranges);
      if (!use.covered.isEmpty()) {
        offers.add(use);
      }
    }
    if (offers.size() > 1) {
      offers.sort(BEST_FIRST);
    }
    return offers;
  }

  /** Those of them that the rules take: each covers something that none before it does. */
  static List<IndexOffer> chosenOf(List<IndexOffer> offers) {
    List<IndexOffer> chosen = new ArrayList<>();
    Set<Subject> covered = new HashSet<>();
    for (IndexOffer offer : offers) {
      boolean secondSweep = !offer.isLookup() && chosen.stream().anyMatch(use -> !use.isLookup());
      if (!secondSweep && !covered.containsAll(offer.covered())) {
        chosen.add(offer);
        covered.addAll(offer.covered());
      }
    }
    return chosen;
  }

  private static IndexOffer of(IndexDefinition index, Map<Subject, ValueRange> ranges) {
    IndexOffer use = ofColumns(index, ranges);
    // An index that no range is about lacks rows, those without its first column: it is no use.
    if (index.isPartial() && !use.covered.isEmpty() && use.covered.size() < ranges.size()) {
      ranges.forEach(
          (subject, range) -> {
            RowPredicate part = new RowPredicate.Column(subject.column(), range, subject.order());
            if (!use.covered.contains(subject) && implies(index, part)) {
              use.covered.add(subject);
            }
          });
    }
    return use;
  }

  private static IndexOffer ofColumns(IndexDefinition index, Map<Subject, ValueRange> ranges) {
    List<byte[]> fixed = new ArrayList<>();
    List<Subject> covered = new ArrayList<>();
    for (ColumnRef column : index.columns()) {
      ValueType type = index.types().get(fixed.size());
      Subject bytes = new Subject(column, ValueType.BYTES);
      ValueRange range = ranges.get(bytes);
      if (range == null || !range.isSingleValue()) {
        Subject numbers = new Subject(column, type);
        boolean byNumber = !numbers.equals(bytes) && ranges.containsKey(numbers);
        Subject told = byNumber ? numbers : bytes;
        List<ValueRange> next = next(type, told, ranges.get(told));
        covered.addAll(next.isEmpty() ? List.of() : List.of(told));
        boolean bounded = !next.isEmpty() && isBounded(ranges.get(told));
        return new IndexOffer(index, fixed, next, bounded, covered);
      }
      fixed.add(PostingForm.of(type, range.lower()));
      covered.add(bytes);
    }
    return new IndexOffer(index, fixed, List.of(), false, covered);
  }

  /** Empty if there is no range, or none that lies together in the index. */
  private static List<ValueRange> next(ValueType type, Subject told, ValueRange range) {
    if (range == null) {
      return List.of();
    }
    // Cells that are no values of the type are judged by their rows.
    return FormRanges.of(type, told.order(), range).orElse(List.of());
  }

  boolean isLookup() {
    return fixed.size() == index.columns().size();
  }

  private static boolean isBounded(ValueRange range) {
    return range.upper().isPresent() && range.lower().length > 0;
  }

  AccessPlan plan() {
    if (isLookup()) {
      return new AccessPlan.Lookup(index, fixed);
    }
    return new AccessPlan.Sweep(
        index,
        next.isEmpty()
            ? List.of(new AccessPlan.Slice(fixed, Optional.empty()))
            : next.stream().map(r -> new AccessPlan.Slice(fixed, Optional.of(r))).toList());
  }

  /** Whether all rows in the index meet a part of the condition. */
  boolean implies(RowPredicate part) {
    return implies(index, part);
  }

  /** The same of an index whatever it offers. */
  static boolean implies(IndexDefinition index, RowPredicate part) {
    return index.isPartial() && IndexScope.of(index.condition()).implies(part);
  }
}
