/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.MalformedPostingException;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import io.hbaseindex.region.scan.plan.AccessPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes the rows of one scan out of the cells that postings carry: just those that the scan would
 * read, or nothing if it would read none (rule A3).
 *
 * <p>That works for scans which name all columns that they read, whose filter lets rows through as
 * a whole or not at all, and which read one version of each column whatever its time. Columns
 * without a name are left to HBase: it overlooks a marker that deletes a family behind one.
 */
final class CoveredRows {
  private final IndexRowKeys keys;
  private final RowPredicate predicate;
  private final long now;

  /** The columns that the scan reads, in the order of its cells. */
  private final List<ColumnRef> wanted;

  /** Their names: copies that are made once, and not for each cell. */
  private final byte[][] families;

  private final byte[][] qualifiers;
  private final Map<ColumnRef, Integer> places = new HashMap<>();
  private final Map<Integer, Source> sources = new HashMap<>();

  /**
   * An index whose postings carry cells.
   *
   * @param positions of each wanted column in the index, negative if it does not have it
   */
  private record Source(IndexDefinition index, int[] positions) {}

  private CoveredRows(
      IndexRowKeys keys,
      RowPredicate predicate,
      long now,
      List<ColumnRef> wanted,
      Collection<IndexDefinition> indexes) {
    this.keys = keys;
    this.predicate = predicate;
    this.now = now;
    this.wanted = wanted;
    this.families = new byte[wanted.size()][];
    this.qualifiers = new byte[wanted.size()][];
    for (ColumnRef column : wanted) {
      int place = places.size();
      families[place] = column.family();
      qualifiers[place] = column.qualifier();
      places.put(column, place);
    }
    for (IndexDefinition index : indexes) {
      int[] positions = new int[wanted.size()];
      for (int place = 0; place < positions.length; place++) {
        positions[place] = index.heldColumns().indexOf(wanted.get(place));
      }
      sources.put(index.id(), new Source(index, positions));
    }
  }

  /**
   * The rows of a scan by a plan; empty if it has to read rows.
   *
   * @param filter the scan's own, which refuses a row if it fails the predicate, and no other
   * @param predicate on columns that the scan reads
   * @param now by which cells expire
   */
  static Optional<CoveredRows> of(
      Scan scan,
      Filter filter,
      RowPredicate predicate,
      AccessPlan plan,
      IndexRowKeys keys,
      long now) {
    List<ColumnRef> wanted = columnsOf(scan);
    List<IndexDefinition> carrying = new ArrayList<>();
    for (IndexDefinition index : plan.indexes()) {
      if (index.carriesCells()) {
        carrying.add(index);
      }
    }
    boolean covered =
        !wanted.isEmpty()
            && areHeld(wanted, carrying)
            && scan.getMaxVersions() == 1
            && scan.getBatch() <= 0
            && !scan.isNeedCursorResult()
            && passesWholeRows(filter)
            && SizeProgress.isKnown();
    return covered
        ? Optional.of(new CoveredRows(keys, predicate, now, wanted, carrying))
        : Optional.empty();
  }

  /**
   * Whether postings of the index carry all that a scan reads.
   *
   * @param wanted its {@linkplain #columnsOf columns}
   */
  static boolean isCoveredBy(IndexDefinition index, List<ColumnRef> wanted) {
    return index.carriesCells() && !wanted.isEmpty() && index.heldColumns().containsAll(wanted);
  }

  /** Whether each column is one of some index. */
  private static boolean areHeld(List<ColumnRef> wanted, List<IndexDefinition> indexes) {
    for (ColumnRef column : wanted) {
      boolean held = false;
      for (IndexDefinition index : indexes) {
        held |= index.heldColumns().contains(column);
      }
      if (!held) {
        return false;
      }
    }
    return true;
  }

  /** The columns that a scan reads, in order; none if it reads whole families. */
  static List<ColumnRef> columnsOf(Scan scan) {
    List<ColumnRef> columns = new ArrayList<>();
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : scan.getFamilyMap().entrySet()) {
      NavigableSet<byte[]> qualifiers = family.getValue();
      if (qualifiers == null || qualifiers.isEmpty() || qualifiers.first().length == 0) {
        return List.of();
      }
      qualifiers.forEach(name -> columns.add(ColumnRef.of(family.getKey(), name)));
    }
    return columns;
  }

  /** Whether a row that the filter lets through has all its cells: other filters pick some. */
  private static boolean passesWholeRows(Filter filter) {
    if (filter.getClass() == FilterList.class) {
      List<Filter> members = ((FilterList) filter).getFilters();
      return !members.isEmpty() && members.stream().allMatch(CoveredRows::passesWholeRows);
    }
    return filter.getClass() == SingleColumnValueFilter.class;
  }

  /**
   * The cells that the scan reads of a row.
   *
   * @param certain postings that answer for the row
   * @return no cells if the row does not meet the condition; empty if it has to be read
   */
  Optional<List<Cell>> of(byte[] row, List<CertainPosting> certain) throws IOException {
    CarriedCells.Cell[] cells = new CarriedCells.Cell[wanted.size()];
    boolean[] known = new boolean[wanted.size()];
    int missing = wanted.size();
    for (CertainPosting posting : certain) {
      missing -= collect(posting, cells, known);
    }
    if (missing > 0) {
      return Optional.empty();
    }
    boolean met =
        predicate.test(
            column -> {
              CarriedCells.Cell cell = cells[places.get(column)];
              return cell == null ? null : cell.value();
            });
    return Optional.of(met ? cellsOf(row, cells) : List.of());
  }

  private List<Cell> cellsOf(byte[] row, CarriedCells.Cell[] cells) {
    List<Cell> shown = new ArrayList<>(cells.length);
    for (int i = 0; i < cells.length; i++) {
      if (cells[i] != null) {
        shown.add(
            new KeyValue(
                row,
                families[i],
                qualifiers[i],
                cells[i].timestamp(),
                KeyValue.Type.Put,
                cells[i].value()));
      }
    }
    return shown;
  }

  /** Takes what a posting says of columns that are not known yet; returns how many there were. */
  private int collect(CertainPosting posting, CarriedCells.Cell[] cells, boolean[] known)
      throws IOException {
    byte[] key = posting.key();
    Source source = sources.get(keys.indexIdOf(key, 0, key.length));
    if (source == null) {
      return 0;
    }
    try {
      return collect(posting, source, cells, known);
    } catch (MalformedPostingException e) {
      throw new IOException(
          "Cannot use the index: the posting with key "
              + Bytes.toStringBinary(key)
              + " was unreadable; check and repair the index",
          e);
    }
  }

  private int collect(
      CertainPosting posting, Source source, CarriedCells.Cell[] cells, boolean[] known) {
    IndexDefinition index = source.index;
    Optional<CarriedCells> carried =
        CarriedCells.in(posting.value(), index.columns().size(), index.included().size())
            .filter(held -> held.until() >= now);
    if (carried.isEmpty()) {
      return 0;
    }
    List<byte[]> values = keys.cells(posting.key(), index);
    int found = 0;
    for (int i = 0; i < known.length; i++) {
      int position = source.positions[i];
      if (!known[i] && position >= 0) {
        cells[i] = cellAt(position, values, carried.get());
        known[i] = true;
        found++;
      }
    }
    return found;
  }

  /** The cell of a column; null if the row lacks it. */
  private static CarriedCells.Cell cellAt(int position, List<byte[]> values, CarriedCells carried) {
    if (position >= values.size()) {
      return carried.included().get(position - values.size());
    }
    byte[] value = values.get(position);
    return value == null ? null : new CarriedCells.Cell(carried.timestamps().get(position), value);
  }
}
