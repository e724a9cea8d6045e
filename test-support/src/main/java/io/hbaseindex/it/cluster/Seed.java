/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Seeds of random tests: printed before they are used, and replayed with {@code
 * -Dhbaseindex.seed=<seed>}.
 */
public final class Seed {

  /** Comma-separated seeds to run instead of fresh ones. */
  public static final String PROPERTY = "hbaseindex.seed";

  /** How many fresh seeds to run instead of the fixed ones. */
  public static final String COUNT_PROPERTY = "hbaseindex.seeds";

  private Seed() {}

  /** The seeds asked for by the property, or as many fresh ones as asked for, or these. */
  public static List<Long> fixed(Long... seeds) {
    boolean askedForOthers =
        System.getProperty(PROPERTY) != null || System.getProperty(COUNT_PROPERTY) != null;
    return askedForOthers ? choose(Integer.getInteger(COUNT_PROPERTY, 1)) : List.of(seeds);
  }

  /** The seeds asked for by the property, or {@code count} fresh ones. */
  public static List<Long> choose(int count) {
    String asked = System.getProperty(PROPERTY, "").trim();
    if (!asked.isEmpty()) {
      List<Long> seeds = new ArrayList<>();
      for (String one : asked.split(",")) {
        seeds.add(Long.parseLong(one.trim()));
      }
      return seeds;
    }
    return new SplittableRandom()
        .longs(count, 1, Integer.MAX_VALUE)
        .boxed()
        .collect(Collectors.toList());
  }

  /** Prints how to run {@code test} again with {@code seed}. */
  public static void announce(Class<?> test, long seed) {
    System.out.printf(
        "%s seed %d; replay with bin/it %s -D%s=%d%n",
        test.getSimpleName(), seed, test.getSimpleName(), PROPERTY, seed);
  }
}
