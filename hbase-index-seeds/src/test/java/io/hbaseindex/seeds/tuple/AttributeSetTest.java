/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class AttributeSetTest {
  @Test
  void of_attributes_knowsThem() {
    AttributeSet set = AttributeSet.of(0, 2, 15);

    assertThat(set).isEqualTo(new AttributeSet(0x8005)).hasToString("{0, 2, 15}");
    assertThat(set.size()).isEqualTo(3);
    assertThat(set.contains(2)).isTrue();
    assertThat(set.contains(1)).isFalse();
    assertThat(set.containsAll(AttributeSet.of(0, 15))).isTrue();
    assertThat(set.containsAll(AttributeSet.of(0, 1))).isFalse();
    assertThat(set.containsAll(AttributeSet.NONE)).isTrue();
  }

  @Test
  void first_count_isThatMany() {
    assertThat(AttributeSet.first(3)).isEqualTo(AttributeSet.of(0, 1, 2));
    assertThat(AttributeSet.first(16).size()).isEqualTo(16);
  }

  @Test
  void create_beyondSixteen_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AttributeSet.of(16))
        .withMessageContaining("attribute was 16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AttributeSet(0x10000))
        .withMessageContaining("bits was 0x10000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AttributeSet.first(17))
        .withMessageContaining("count was 17");
  }
}
