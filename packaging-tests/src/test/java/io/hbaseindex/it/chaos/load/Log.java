/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;

/**
 * What a run tells while it goes on: one line for each thing, with the time, as servers' logs have
 * it.
 */
public final class Log {
  private Log() {}

  public static void line(String text) {
    System.out.println(LocalTime.now().truncatedTo(ChronoUnit.MILLIS) + " " + text);
  }
}
