/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IndexStatesTest {

  private final IndexStates states = new IndexStates();

  @Test
  void token_unknownIndex_isNone() {
    assertThat(states.token(1)).isEmpty();
  }

  @Test
  void token_onlyWhileReady() {
    states.set(1, IndexState.building("half way", 5, 10));
    assertThat(states.isReady(1)).isFalse();
    states.set(1, IndexState.ready("built", 10, 40));
    assertThat(states.isReady(1)).isTrue();
    states.set(1, IndexState.waiting("bulk load"));
    assertThat(states.isReady(1)).isFalse();
  }

  @Test
  void token_readyAgain_isAnother() {
    states.set(1, IndexState.ready("built", 10, 40));
    Object before = states.token(1).orElseThrow();
    states.set(2, IndexState.ready("built", 10, 40));
    assertThat(states.token(1).orElseThrow()).isSameAs(before);

    states.set(1, IndexState.waiting("bulk load"));
    states.set(1, IndexState.ready("built", 10, 40));
    assertThat(states.token(1).orElseThrow()).isNotEqualTo(before);
  }

  @Test
  void setAllSupported_leavesTheUnsupportedAlone() {
    states.set(1, IndexState.ready("built", 10, 40));
    states.set(2, IndexState.unsupported("a row key is too long"));
    states.setAllSupported(IndexState.waiting("bulk load"));

    assertThat(states.of(1).orElseThrow().phase()).isEqualTo(IndexState.Phase.WAITING);
    assertThat(states.of(2).orElseThrow().toString())
        .isEqualTo("UNSUPPORTED: a row key is too long");
  }
}
