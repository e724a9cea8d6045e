/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ForwardingTest {
  private final Supplier<?> target = () -> "target's";

  private Supplier<?> proxy() {
    return Forwarding.proxy(
        Supplier.class, target, (method, arguments, passOn) -> List.of(passOn.call()));
  }

  @Test
  void call_passesThroughTheInterceptor() {
    assertThat(proxy().get()).isEqualTo(List.of("target's"));
  }

  @Test
  void equality_isIdentity() {
    Supplier<?> proxy = proxy();

    assertThat(proxy.equals(proxy)).isTrue();
    assertThat(proxy.equals(proxy())).isFalse();
    assertThat(proxy.equals(target)).isFalse();
    assertThat(proxy.equals(null)).isFalse();
  }

  @Test
  void hashAndText_areTheTargets_whateverTheInterceptorDoes() {
    assertThat(proxy().hashCode()).isEqualTo(target.hashCode());
    assertThat(proxy().toString()).isEqualTo(target.toString());
  }
}
