/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowLimitTest {
  private static Result row(String key) {
    byte[] bytes = Bytes.toBytes(key);
    return Result.create(List.<Cell>of(new KeyValue(bytes, bytes, bytes, bytes)));
  }

  @Test
  void partsOfOneRow_countOnce() {
    RowLimit limit = new RowLimit(2);

    assertThat(limit.admits(row("a"))).isTrue();
    assertThat(limit.admits(row("a"))).isTrue();
    assertThat(limit.isReached()).isFalse();
    assertThat(limit.admits(row("b"))).isTrue();
    assertThat(limit.isReached()).isTrue();
    assertThat(limit.admits(row("b"))).isTrue();
    assertThat(limit.admits(row("c"))).isFalse();
  }

  @Test
  void partOfTheScan_ended_nextResultBeginsARow() {
    RowLimit limit = new RowLimit(1);
    limit.admits(row("a"));
    limit.partEnded();

    assertThat(limit.admits(row("a"))).isFalse();
  }

  @Test
  void noLimit_neverEnds() {
    RowLimit limit = new RowLimit(-1);
    Scan part = new Scan();
    limit.admits(row("a"));
    limit.pushDown(part);

    assertThat(limit.isReached()).isFalse();
    assertThat(limit.atMost(4)).isEqualTo(4);
    assertThat(part.getLimit()).isEqualTo(-1);
  }

  @Test
  void limit_isPushedDownLessWhatWasGiven() {
    RowLimit limit = new RowLimit(3);
    Scan part = new Scan();
    limit.admits(row("a"));
    limit.pushDown(part);

    assertThat(part.getLimit()).isEqualTo(2);
    assertThat(limit.atMost(4)).isEqualTo(2);
  }
}
