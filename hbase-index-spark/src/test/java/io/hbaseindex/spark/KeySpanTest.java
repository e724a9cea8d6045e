/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.route.RowRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class KeySpanTest {
  private static byte[] b(String text) {
    return Bytes.toBytesBinary(text);
  }

  @Test
  void prefix_endsBehindItsLastKey() {
    assertThat(KeySpan.startingWith(b("ab"))).isEqualTo(new KeySpan(b("ab"), b("ac")));
    assertThat(KeySpan.startingWith(b("a\\xFF"))).isEqualTo(new KeySpan(b("a\\xFF"), b("b")));
    assertThat(KeySpan.startingWith(b("\\xFF"))).isEqualTo(KeySpan.atLeast(b("\\xFF")));
    assertThat(KeySpan.startingWith(b(""))).isEqualTo(KeySpan.ALL);
  }

  @Test
  void nothing_isBelowTheLowestKey() {
    assertThat(KeySpan.below(b("")).isEmpty()).isTrue();
    assertThat(KeySpan.NONE.isEmpty()).isTrue();
    assertThat(KeySpan.ALL.isEmpty()).isFalse();
    assertThat(KeySpan.of(b("")).isEmpty()).isFalse();
  }

  @Test
  void intersection_isWithinBoth() {
    KeySpan low = KeySpan.below(b("m"));
    KeySpan high = KeySpan.atLeast(b("f"));

    assertThat(low.intersect(high)).isEqualTo(new KeySpan(b("f"), b("m")));
    assertThat(high.intersect(low)).isEqualTo(new KeySpan(b("f"), b("m")));
    assertThat(low.intersect(KeySpan.ALL)).isEqualTo(low);
    assertThat(KeySpan.atLeast(b("m")).intersect(low).isEmpty()).isTrue();
    assertThat(low.intersect(KeySpan.NONE).isEmpty()).isTrue();
  }

  @Test
  void overlap_isTheIndexsOwn() {
    assertThat(KeySpan.of(b("b")).overlaps(new RowRange(b("a"), b("b")))).isFalse();
    assertThat(KeySpan.of(b("b")).overlaps(new RowRange(b("b"), b("")))).isTrue();
    assertThat(KeySpan.ALL.overlaps(RowRange.ALL)).isTrue();
  }
}
