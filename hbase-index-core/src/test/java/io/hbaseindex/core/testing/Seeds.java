/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.testing;

import java.util.function.LongConsumer;

/**
 * Runs a random test once per seed and says which seed failed.
 *
 * <p>The seeds are the same in every run. {@code -Dhbaseindex.seed=N} replays one of them alone,
 * {@code -Dhbaseindex.seeds=N} runs the first N instead of the test's own number.
 */
public final class Seeds {
  /** Names the one seed to replay. */
  public static final String ONE = "hbaseindex.seed";

  /** Overrides how many seeds are run. */
  public static final String COUNT = "hbaseindex.seeds";

  private Seeds() {}

  /** Runs the test with {@code count} seeds, or with what the system properties ask for. */
  public static void forEach(int count, LongConsumer test) {
    Long one = Long.getLong(ONE);
    long first = one == null ? 0 : one;
    long last = one == null ? Long.getLong(COUNT, count) : one + 1;
    for (long seed = first; seed < last; seed++) {
      try {
        test.accept(seed);
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError(
            "Failed with seed " + seed + "; replay with -D" + ONE + "=" + seed, failure);
      }
    }
  }
}
