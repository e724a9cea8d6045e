/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.ValuePrefixes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An index, as one definition.
 *
 * @param columns a row without the first of them has no posting
 * @param sets what each posting has an element for; the first is of all columns
 */
record SimIndex(List<Integer> columns, List<Set> sets) {

  /** An index with its leading columns as sets. */
  static SimIndex of(List<Integer> columns, long id, long version, long seed) {
    List<Set> sets = new ArrayList<>();
    for (int leading = columns.size(); leading > 0; leading--) {
      sets.add(set(columns.subList(0, leading), leading == columns.size(), id, version, seed));
    }
    return new SimIndex(columns, List.copyOf(sets));
  }

  private static Set set(List<Integer> columns, boolean whole, long id, long version, long seed) {
    long mask = 0;
    for (int column : columns) {
      mask |= 1L << column;
    }
    long space = whole ? id : mask << Integer.SIZE | id;
    return new Set(List.copyOf(columns), new IndexCoverage(space, version, seed, 0));
  }

  /** The same with one more set, of its last column alone. */
  SimIndex withLastColumnAlone() {
    IndexCoverage whole = sets.get(0).coverage();
    List<Set> more = new ArrayList<>(sets);
    more.add(
        set(
            columns.subList(columns.size() - 1, columns.size()),
            false,
            id(),
            whole.version(),
            whole.seed()));
    return new SimIndex(columns, List.copyOf(more));
  }

  long id() {
    return sets.get(0).coverage().indexId();
  }

  long version() {
    return sets.get(0).coverage().version();
  }

  /** Some columns whose values are known together. */
  record Set(List<Integer> columns, IndexCoverage coverage) {
    long space() {
      return coverage.space();
    }

    boolean isOf(SimRow row) {
      return columns.stream().allMatch(column -> row.value(column) != SimRow.NONE);
    }

    long element(SimRow row) {
      long hash = coverage.seed() + BitMixer.mix(space() * 1_000 + coverage.version());
      for (int column : columns) {
        hash = BitMixer.mix(hash + row.value(column));
      }
      return hash;
    }
  }

  boolean hasPosting(SimRow row) {
    return row != null && row.value(columns.get(0)) != SimRow.NONE;
  }

  /** Whether a row has a posting that another version of it has not. */
  boolean isChanged(SimRow row, SimRow other) {
    return hasPosting(row)
        && (other == null
            || columns.stream().anyMatch(column -> row.value(column) != other.value(column)));
  }

  /**
   * What a row's posting has in its first column. Bounds tell two neighbours apart from others, but
   * not from each other: values are a byte longer than bounds.
   */
  byte[] value(SimRow row) {
    int value = row.value(columns.get(0));
    byte[] bytes = new byte[ValuePrefixes.LENGTH + 1];
    Arrays.fill(bytes, (byte) 'v');
    bytes[ValuePrefixes.LENGTH - 4] = (byte) (0x80 | value >>> 8);
    bytes[ValuePrefixes.LENGTH - 3] = (byte) (0x80 | value >>> 1 & 0x7F);
    bytes[ValuePrefixes.LENGTH] = (byte) (1 + (value & 1));
    return bytes;
  }

  /** Asks for what a row's posting has in its first column. */
  RoutePredicate.Range question(SimRow row) {
    return new RoutePredicate.Range(sets.get(0).coverage(), ValueRange.equalTo(value(row)));
  }

  /** The sets that a row with a posting has an element of. */
  List<Set> setsOf(SimRow row) {
    return sets.stream().filter(set -> set == sets.get(0) || set.isOf(row)).toList();
  }
}
