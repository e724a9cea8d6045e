/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;

class OrderedScansTest {
  private static final ColumnRef AGE = ColumnRef.of("f", "age");
  private static final byte[] ROW = Bytes.toBytes("r");
  private static final Filter HAS_AGE =
      new SingleColumnValueFilter(
          AGE.family(), AGE.qualifier(), CompareOperator.GREATER_OR_EQUAL, new byte[0]);

  private static boolean walks(Filter filter, Optional<RowOrder.Place> after) {
    Scan scan = new Scan().setFilter(filter);
    OrderedRows.askFor(scan, new OrderedRows.Request(new RowOrder(AGE, false), 5, after));
    return OrderedScans.plan(
            scan,
            new RowPredicate.Column(AGE, ValueRange.atLeast(new byte[0])),
            List.copyOf(
                TableIndexes.none()
                    .with(IndexDefinition.on("f", "age").named("age").eager(), () -> 1)
                    .definitions()),
            access -> Optional.empty())
        .isPresent();
  }

  @Test
  void filtersThatRememberKeys_areNotShownRowsByTheirValues() {
    assertThat(walks(HAS_AGE, Optional.empty())).isTrue();
    for (Filter remembering :
        List.of(
            new PrefixFilter(ROW),
            new InclusiveStopFilter(ROW),
            new FuzzyRowFilter(List.of(new Pair<>(ROW, new byte[] {0}))),
            new MultiRowRangeFilter(new byte[][] {ROW}))) {
      assertThat(walks(new FilterList(HAS_AGE, remembering), Optional.empty()))
          .as("%s", remembering)
          .isFalse();
    }
  }

  @Test
  void valuesLongerThanKeysHold_tellNoPlaceToGoOnFrom() {
    assertThat(walks(HAS_AGE, Optional.of(new RowOrder.Place(new byte[512], ROW)))).isTrue();
    assertThat(walks(HAS_AGE, Optional.of(new RowOrder.Place(new byte[513], ROW)))).isFalse();
  }
}
