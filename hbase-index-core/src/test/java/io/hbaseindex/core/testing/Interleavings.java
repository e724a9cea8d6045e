/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.testing;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Two threads that use one object, interleaved by a model checker (Lincheck). It runs the threads
 * one at a time and switches between them where they touch what they share, another way in each of
 * many runs. What they return must be what the same calls return one after the other, in some
 * order. The runs are the same each time and on every machine; a failure prints the interleaving.
 */
public final class Interleavings {
  /** Lincheck takes a run that lasts longer for one that hangs; a busy machine must not. */
  private static final long HANG_MILLIS = 3_600_000;

  private static final int SCENARIOS = 3;

  private Interleavings() {}

  /**
   * Tries many interleavings.
   *
   * @param subject a public class; each of its public methods with an {@code @Operation} is what a
   *     thread may do once
   * @throws AssertionError if the threads can return what no order of their calls explains
   */
  public static void of(Class<?> subject, int runs) {
    new ModelCheckingOptions()
        .invocationTimeout$lincheck(HANG_MILLIS)
        .iterations(SCENARIOS)
        .invocationsPerIteration(runs)
        .threads(2)
        .actorsPerThread(1)
        .actorsBefore(0)
        .actorsAfter(0)
        .minimizeFailedScenario(false)
        .check(subject);
  }
}
