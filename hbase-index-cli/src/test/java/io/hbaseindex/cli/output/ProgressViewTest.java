/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.status.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressViewTest {
  private final StringWriter shown = new StringWriter();
  private final AtomicLong clock = new AtomicLong();

  @Test
  void terminal_drawsABarOverItself_andTakesItAway() {
    try (ProgressView view = view(true)) {
      clock.addAndGet(100);
      view.reached(new Progress.Step(Progress.Work.BUILD, 3, 12, 4500));
      assertThat(shown.toString())
          .isEqualTo(
              "\r[#######.......................] build: 3 of 12 regions, 4,500 rows and"
                  + " postings\u001B[K");
    }
    assertThat(shown.toString()).endsWith("\r\u001B[K");
  }

  @Test
  void whereTheWholeIsKnownByEstimate_theBarGoesByIt() {
    try (ProgressView view = view(true)) {
      clock.addAndGet(100);
      view.reached(new Progress.Step(Progress.Work.BUILD, 0, 1, 4_500, 45_000));
      assertThat(shown.toString())
          .isEqualTo(
              "\r[###...........................] build: 0 of 1 region, 4,500 of about 45,000"
                  + " rows\u001B[K");
    }
  }

  @Test
  void elsewhere_aLineNowAndThen() {
    try (ProgressView view = view(false)) {
      for (int i = 0; i < 12; i++) {
        clock.addAndGet(1_000);
        view.reached(new Progress.Step(Progress.Work.VERIFY, i, 12, 0));
      }
    }
    assertThat(shown.toString().lines())
        .containsExactly("verify: 4 of 12 regions", "verify: 9 of 12 regions");
  }

  @Test
  void workThatEndsAtOnce_showsNothing() {
    try (ProgressView view = view(true)) {
      view.reached(new Progress.Step(Progress.Work.BUILD, 12, 12, 0));
    }
    assertThat(shown.toString()).isEmpty();
  }

  private ProgressView view(boolean terminal) {
    return new ProgressView(new PrintWriter(shown), terminal, clock::get);
  }
}
