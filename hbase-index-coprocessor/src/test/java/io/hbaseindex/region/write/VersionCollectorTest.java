/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.region.write.plan.IndexedColumns;
import io.hbaseindex.region.write.plan.RowVersions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CollectionBackedScanner;
import org.junit.jupiter.api.Test;

/** What is read of a row, over a scanner that is no more than a sorted list. */
class VersionCollectorTest {
  private static final byte[] ROW = {'r'};
  private static final byte[] FAMILY = {'f'};
  private static final long FOR_EVER = Long.MIN_VALUE;

  private final IndexedColumns columns =
      new IndexedColumns(List.of(IndexDefinition.on("f", "c").named("one").eager()));
  private final List<Cell> cells = new ArrayList<>();
  private int cellsRead;
  private int seeks;

  /** HBase sorts the markers of a family among the puts of the column without a name. */
  @Test
  void take_familyMarkerBehindAnUnindexedPutWithoutQualifier_isFound() throws IOException {
    store("", 9, KeyValue.Type.Put);
    store("", 5, KeyValue.Type.DeleteFamily);
    store("b", 9, KeyValue.Type.Put);
    store("c", 4, KeyValue.Type.Put);

    assertThat(collected(false).column(0).showable(FOR_EVER, 1).values()).isEmpty();
  }

  @Test
  void take_newestOnlyOfAHotColumn_readsOneCellPerColumn() throws IOException {
    store("", 7, KeyValue.Type.DeleteFamily);
    store("b", 20, KeyValue.Type.Put);
    store("c", 2_000, KeyValue.Type.DeleteColumn);
    for (int timestamp = 1_000; timestamp > 0; timestamp--) {
      store("c", timestamp, KeyValue.Type.Put);
    }
    store("d", 20, KeyValue.Type.Put);

    collected(false);
    assertThat(cellsRead).isGreaterThan(1_000);
    RowVersions newest = collected(true);
    assertThat(cellsRead).as("two markers, the newest put, one unindexed column").isEqualTo(4);
    assertThat(newest.areDecidedByNewest()).as("the marker hides the put").isFalse();
  }

  @Test
  void collectRow_nextColumnIsNear_isReachedByStepsInsteadOfASeek() throws IOException {
    store("a", 9, KeyValue.Type.Put);
    store("b", 9, KeyValue.Type.Put);
    store("c", 4, KeyValue.Type.Put);
    store("d", 9, KeyValue.Type.Put);

    assertThat(collected(true).areDecidedByNewest()).isTrue();
    assertThat(seeks).isZero();
  }

  @Test
  void collectRow_nextColumnIsFar_isSought() throws IOException {
    for (int column = 0; column < 100; column++) {
      store("b" + (char) ('0' + column), 9, KeyValue.Type.Put);
    }
    store("c", 4, KeyValue.Type.Put);

    assertThat(collected(false).areDecidedByNewest()).isTrue();
    assertThat(seeks).isEqualTo(1);
    assertThat(cellsRead).as("the first column, and the one that counts").isEqualTo(2);
  }

  /** Files whose cells are all older need not be read. */
  @Test
  void countsFrom_newestPutsOfAllColumns_isTheOldestOfThem() throws IOException {
    IndexedColumns two =
        new IndexedColumns(
            List.of(
                IndexDefinition.on("f", "c").named("one").eager(),
                IndexDefinition.on("f", "e").named("two").eager()));
    RowVersions versions = new RowVersions(two);
    VersionCollector newest = new VersionCollector(two, 0, versions, true);
    store("c", 9, KeyValue.Type.Put);
    store("e", 3, KeyValue.Type.DeleteColumn);
    store("e", 7, KeyValue.Type.Put);

    newest.take(cells.get(0));
    assertThat(newest.countsFrom()).as("one column is not known").isZero();
    newest.take(cells.get(1));
    assertThat(newest.countsFrom()).as("a marker is no put").isZero();
    newest.take(cells.get(2));
    assertThat(newest.countsFrom()).isEqualTo(7);
    assertThat(new VersionCollector(two, 0, versions, false).countsFrom())
        .as("a delete needs all versions")
        .isZero();
  }

  private void store(String qualifier, long timestamp, KeyValue.Type type) {
    KeyValue cell =
        new KeyValue(
            ROW, FAMILY, Bytes.toBytes(qualifier), timestamp, type, Bytes.toBytes("v" + timestamp));
    cell.setSequenceId(1);
    cells.add(cell);
  }

  private RowVersions collected(boolean newestOnly) throws IOException {
    RowVersions versions = new RowVersions(columns);
    VersionCollector collector = new VersionCollector(columns, 0, versions, newestOnly);
    cellsRead = 0;
    seeks = 0;
    StoreCursor.collectRow(
        ROW,
        new CollectionBackedScanner(cells, CellComparatorImpl.COMPARATOR) {
          @Override
          public boolean reseek(Cell target) {
            seeks++;
            return super.reseek(target);
          }
        },
        new StoreCursor.RowCollector() {
          @Override
          public boolean take(Cell cell) {
            cellsRead++;
            return collector.take(cell);
          }

          @Override
          public Cell nextColumn(Cell cell) {
            return collector.nextColumn(cell);
          }
        });
    return versions;
  }
}
