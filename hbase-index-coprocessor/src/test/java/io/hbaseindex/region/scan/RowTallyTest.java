/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.query.CountedRows;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.common.query.ValueGroups;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowTallyTest {
  private static final ColumnRef STATUS = ColumnRef.of("f", "status");
  private static final long HOUR = 3_600_000;

  private static CountedRows.Request byHour(long from, long before) {
    return new CountedRows.Request(
        Long.MAX_VALUE,
        Optional.of(STATUS),
        Optional.of(new CountedTimes(TimeBucket.HOUR, from, before)),
        Optional.empty());
  }

  private static Cell written(String row, long time) {
    return new KeyValue(
        Bytes.toBytes(row), STATUS.family(), STATUS.qualifier(), time, Bytes.toBytes("open"));
  }

  @Test
  void read_ofARowInParts_countsTheNewestTimeAlone() {
    CountedRows.Request request = byHour(0, 2 * HOUR);
    RowTally tally = new RowTally(request);
    tally.read(List.of(written("a", HOUR + 1)));
    tally.read(List.of(written("a", 1)));
    tally.read(List.of(written("b", 2 * HOUR)));
    tally.read(List.of(written("b", 1)));

    ValueGroups groups = CountedRows.groupsFor(request);
    CountedRows.addTo(groups, Result.create(List.of(tally.tell().orElseThrow())), request);

    assertThat(groups.byValue()).as("b is too late, whatever it was before").hasSize(1);
    assertThat(groups.byValue().get(Bytes.toBytes(HOUR)).rows()).isEqualTo(1);
  }

  @Test
  void times_areToldOnlyByPostingsThatCarryCells() {
    RowTally tally = new RowTally(byHour(0, HOUR));
    IndexDefinition plain = IndexDefinition.on("f", "status").named("n").eager();
    IndexDefinition timed = IndexDefinition.on("f", "status").withTimes().named("n").eager();
    IndexDefinition other = IndexDefinition.on("f", "city").withTimes().named("n").eager();
    IndexDefinition including =
        IndexDefinition.on("f", "city").including("f:status").named("n").eager();

    assertThat(tally.isToldBy(plain)).isFalse();
    assertThat(tally.needsCellsOf(plain)).isFalse();
    assertThat(tally.isToldBy(timed)).isTrue();
    assertThat(tally.needsCellsOf(timed)).isTrue();
    assertThat(tally.isToldBy(other)).isFalse();
    assertThat(tally.isToldBy(including)).isTrue();
    assertThat(tally.needsCellsOf(including)).isTrue();
  }
}
