/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ElementListTest {
  @Test
  void elements_comeInTheOrderInWhichTheyWereAdded_upToTheBound() {
    ElementList list = new ElementList();
    assertThat(list.isEmpty()).isTrue();
    assertThat(list.toArray()).isEmpty();
    for (long element = 0; element < ElementList.MOST; element++) {
      assertThat(list.add(element * 3)).isTrue();
    }
    assertThat(list.isEmpty()).isFalse();
    assertThat(list.add(1)).isFalse();
    assertThat(list.toArray())
        .isEqualTo(LongStream.range(0, ElementList.MOST).map(at -> at * 3).toArray());
  }
}
