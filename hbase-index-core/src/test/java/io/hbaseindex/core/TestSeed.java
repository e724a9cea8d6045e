package io.hbaseindex.core;

import java.util.SplittableRandom;

/** Seeds of random tests: printed before use, replayed with {@code -Dhbaseindex.seed=SEED}. */
public final class TestSeed {
  private static final String PROPERTY = "hbaseindex.seed";

  private TestSeed() {}

  /** The seed asked for by the property, or a fresh one; printed with how to replay it. */
  public static long announce(Class<?> test) {
    Long asked = Long.getLong(PROPERTY);
    long seed = asked != null ? asked : new SplittableRandom().nextLong();
    System.out.printf(
        "%s: replay with -Dtest=%s -D%s=%d%n",
        test.getSimpleName(), test.getSimpleName(), PROPERTY, seed);
    return seed;
  }
}
