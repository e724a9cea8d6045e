/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Draws queries of every {@link QueryShape}, with the options a client may set beside the filter.
 */
final class Queries {

  private final Universe universe;
  private final Predicates predicates;
  private final SplittableRandom random;

  Queries(Universe universe, SplittableRandom random) {
    this.universe = universe;
    this.random = random;
    this.predicates = new Predicates(universe, random);
  }

  Query next(QueryShape shape) throws IOException {
    Column column = predicates.indexedColumn();
    Scan scan = new Scan();
    switch (shape) {
      case EQUAL -> options(scan.setFilter(predicates.equal(column)));
      case IN -> options(scan.setFilter(predicates.in(column)));
      case PREFIX -> options(scan.setFilter(predicates.prefix(column)));
      case LESS -> options(scan.setFilter(compare(column, CompareOperator.LESS)));
      case LESS_OR_EQUAL -> options(scan.setFilter(compare(column, CompareOperator.LESS_OR_EQUAL)));
      case GREATER -> options(scan.setFilter(compare(column, CompareOperator.GREATER)));
      case GREATER_OR_EQUAL ->
          options(scan.setFilter(compare(column, CompareOperator.GREATER_OR_EQUAL)));
      case BETWEEN -> options(scan.setFilter(predicates.between(column)));
      case AND -> options(scan.setFilter(Predicates.all(predicates.simple(), predicates.simple())));
      case OR -> options(scan.setFilter(Predicates.one(predicates.simple(), predicates.simple())));
      case NESTED -> options(scan.setFilter(nested()));
      case WITH_STATELESS -> options(scan.setFilter(withStateless(column)));
      case CELLS -> cellOptions(scan.setFilter(predicates.cells()));
      case LIMITED -> limits(options(scan.setFilter(predicates.equal(column))));
      case COVERED -> covered(scan);
      case PARTIAL -> partial(scan);
      case UNINDEXED -> options(scan.setFilter(unindexed(column)));
      case UNSUITABLE -> unsuitable(scan, column);
      case REVERSED -> reverse(scan.setFilter(predicates.simple()));
      default -> throw new AssertionError(shape);
    }
    return new Query(shape, scan);
  }

  /** Equality with one given value, for an exhaustive sweep. */
  Query equal(Column column, byte[] value) {
    return new Query(
        QueryShape.EQUAL,
        new Scan().setFilter(predicates.compare(column, CompareOperator.EQUAL, value)));
  }

  /**
   * A condition on the first column of an index, and at times on more of its columns, with some of
   * the columns that its postings carry. A few of these scans want more than postings can give.
   */
  private void covered(Scan scan) throws IOException {
    List<IndexDefinition> covering =
        OracleTable.INDEXES.stream()
            .filter(index -> !index.included().isEmpty() && !index.isPartial())
            .toList();
    IndexDefinition index = covering.get(random.nextInt(covering.size()));
    Column first = Column.of(index.columns().get(0));
    scan.setFilter(predicates.simple(first)).addColumn(first.family(), first.qualifier());
    for (ColumnRef reference : index.allColumns()) {
      Column column = Column.of(reference);
      if (random.nextInt(4) == 0) {
        Filter more = predicates.simple(column);
        scan.setFilter(
            random.nextBoolean()
                ? Predicates.all(scan.getFilter(), more)
                : Predicates.all(more, scan.getFilter()));
        scan.addColumn(column.family(), column.qualifier());
      } else if (random.nextInt(3) > 0) {
        scan.addColumn(column.family(), column.qualifier());
      }
    }
    switch (random.nextInt(16)) {
      case 0 -> scan.readVersions(3);
      case 1 -> scan.addColumn(Column.NOTE.family(), Column.NOTE.qualifier());
      case 2 -> scan.setTimeRange(System.currentTimeMillis() - 5_000, Long.MAX_VALUE);
      case 3 -> scan.setFilter(Predicates.all(scan.getFilter(), new KeyOnlyFilter()));
      case 4, 5 -> limits(scan);
      case 6, 7 -> range(scan);
      case 8, 9 -> scan.setCaching(1 + random.nextInt(20));
      default -> scan.setLoadColumnFamiliesOnDemand(random.nextBoolean());
    }
  }

  /** Implies the condition of a partial index, which no other index helps with. */
  private void partial(Scan scan) {
    Filter note = predicates.simple(Column.NOTE);
    Filter scope =
        switch (random.nextInt(6)) {
          case 0 -> state("ab");
          case 1 -> Predicates.one(state("a"), state("\u00ff"));
          case 2 -> Predicates.one(state(""), state("\0"));
          case 3 -> state("\0");
          default ->
              Predicates.all(
                  state(CompareOperator.GREATER_OR_EQUAL, "a"), state(CompareOperator.LESS, "c"));
        };
    scan.setFilter(
        random.nextBoolean() ? Predicates.all(note, scope) : Predicates.all(scope, note));
    if (random.nextBoolean()) {
      scan.addColumn(Column.NOTE.family(), Column.NOTE.qualifier());
      scan.addColumn(Column.STATE.family(), Column.STATE.qualifier());
      scan.addColumn(Column.CITY.family(), Column.CITY.qualifier());
    } else {
      options(scan);
    }
  }

  private Filter state(String value) {
    return state(CompareOperator.EQUAL, value);
  }

  private Filter state(CompareOperator operator, String value) {
    return predicates.compare(Column.STATE, operator, value.getBytes(StandardCharsets.ISO_8859_1));
  }

  private Filter compare(Column column, CompareOperator operator) {
    return predicates.compare(column, operator, predicates.value(column));
  }

  private Filter nested() {
    return Predicates.all(
        Predicates.one(
            predicates.simple(), Predicates.all(predicates.simple(), predicates.simple())),
        Predicates.one(predicates.simple(), predicates.simple()));
  }

  private Filter withStateless(Column column) {
    Filter other =
        switch (random.nextInt(6)) {
          case 0 -> new PrefixFilter(Bytes.toBytes("k1"));
          case 1 ->
              new RowFilter(CompareOperator.GREATER, new BinaryComparator(universe.row(random)));
          case 2 -> new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(column.family()));
          case 3 ->
              new QualifierFilter(
                  CompareOperator.LESS_OR_EQUAL, new BinaryComparator(column.qualifier()));
          case 4 -> new ColumnPrefixFilter(new byte[] {column.qualifier()[0]});
          default ->
              new ValueFilter(
                  CompareOperator.GREATER_OR_EQUAL, new BinaryPrefixComparator(new byte[0]));
        };
    Filter wanted = predicates.equal(column);
    return random.nextBoolean() ? Predicates.all(wanted, other) : Predicates.all(other, wanted);
  }

  private Filter unindexed(Column indexed) {
    Filter note = predicates.equal(Column.NOTE);
    return random.nextBoolean() ? note : Predicates.one(note, predicates.equal(indexed));
  }

  private void unsuitable(Scan scan, Column column) throws IOException {
    byte[] value = predicates.value(column);
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            column.family(), column.qualifier(), CompareOperator.EQUAL, value);
    filter.setFilterIfMissing(true);
    scan.setFilter(filter);
    switch (random.nextInt(9)) {
      case 0 -> filter.setFilterIfMissing(false);
      case 1 -> {
        filter.setLatestVersionOnly(false);
        scan.readAllVersions();
      }
      case 2 -> scan.setTimeRange(0, System.currentTimeMillis() - random.nextInt(5_000));
      case 3 -> scan.setFilter(compare(column, CompareOperator.NOT_EQUAL));
      case 4 -> scan.setFilter(Predicates.all(filter, new PageFilter(1 + random.nextInt(9))));
      case 5 -> scan.setFilter(new WhileMatchFilter(filter));
      case 6 -> scan.setRaw(true).readAllVersions();
      case 7 ->
          scan.setFilter(
                  new ColumnValueFilter(
                      Column.TAG.family(),
                      Column.TAG.qualifier(),
                      CompareOperator.EQUAL,
                      predicates.value(Column.TAG)))
              .readAllVersions();
      default -> scan.setFilter(Predicates.one(filter, new PrefixFilter(Bytes.toBytes("k2"))));
    }
  }

  /** What a client may ask beside the filter without changing which rows match. */
  private Scan options(Scan scan) {
    if (random.nextInt(3) == 0) {
      scan.setCaching(1 + random.nextInt(20));
    }
    if (random.nextInt(4) == 0) {
      range(scan);
    }
    if (random.nextInt(6) == 0) {
      scan.readVersions(3);
    }
    if (random.nextInt(8) == 0) {
      // Families without the filter's column too: then nothing matches, with and without index.
      scan.addFamily(predicates.indexedColumn().family());
    }
    if (random.nextInt(3) == 0) {
      scan.setLoadColumnFamiliesOnDemand(false);
    }
    if (random.nextInt(8) == 0) {
      scan.setFilter(Predicates.all(scan.getFilter(), new KeyOnlyFilter()));
    }
    return scan;
  }

  private void cellOptions(Scan scan) {
    switch (random.nextInt(3)) {
      case 0 -> scan.setBatch(1 + random.nextInt(2));
      case 1 -> scan.setAllowPartialResults(true).setMaxResultSize(1 + random.nextInt(200));
      default -> limits(scan);
    }
  }

  private Scan limits(Scan scan) {
    scan.setLimit(1 + random.nextInt(10)).setCaching(1 + random.nextInt(4));
    if (random.nextBoolean()) {
      scan.setMaxResultSize(1 + random.nextInt(400));
    }
    return scan;
  }

  private void reverse(Scan scan) {
    // HBase refuses to read backwards what it may load on demand.
    scan.setReversed(true).setLoadColumnFamiliesOnDemand(false);
    if (random.nextBoolean()) {
      scan.setLimit(1 + random.nextInt(10));
    }
    if (random.nextBoolean()) {
      scan.withStartRow(universe.row(random));
    }
  }

  private void range(Scan scan) {
    List<byte[]> ends = new ArrayList<>();
    ends.add(universe.row(random));
    ends.add(universe.row(random));
    ends.sort(Bytes.BYTES_COMPARATOR);
    scan.withStartRow(ends.get(0), random.nextBoolean());
    if (random.nextBoolean()) {
      scan.withStopRow(ends.get(1), true);
    }
  }
}
