/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CloseAllTest {
  @Test
  void close_someFail_allAreClosedAndTheFirstFailureIsThrown() {
    IOException first = new IOException("first");
    IOException second = new IOException("second");
    AtomicBoolean closed = new AtomicBoolean();

    assertThatThrownBy(
            () -> CloseAll.close(List.of(failing(first), failing(second), () -> closed.set(true))))
        .isSameAs(first)
        .satisfies(failure -> assertThat(failure.getSuppressed()).containsExactly(second));
    assertThat(closed).isTrue();
  }

  /** Streams of HDFS that have failed throw the same exception from every later call. */
  @Test
  void close_sameExceptionTwice_isThrownAsItIs() {
    IOException same = new IOException("no data node");

    assertThatThrownBy(() -> CloseAll.close(List.of(failing(same), failing(same)))).isSameAs(same);
  }

  private static Closeable failing(IOException failure) {
    return () -> {
      throw failure;
    };
  }
}
