/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.util.LinkedHashMap;
import java.util.Map;

/** Tells a person where a run spent its time; nothing is asserted on it. */
final class Stopwatch {

  private final Map<String, Long> nanos = new LinkedHashMap<>();
  private String phase;
  private long since;

  /** Ends the running phase and begins {@code next}. */
  void start(String next) {
    stop();
    phase = next;
    since = System.nanoTime();
  }

  void stop() {
    if (phase != null) {
      nanos.merge(phase, System.nanoTime() - since, Long::sum);
      phase = null;
    }
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    nanos.forEach((name, time) -> text.append("%s %.1f  ".formatted(name, time / 1e9)));
    return text.toString().trim();
  }
}
