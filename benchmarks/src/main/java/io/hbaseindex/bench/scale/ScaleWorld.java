/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.CpuCosts;
import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.route.IndexCoverage;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** What all parts of a simulated cluster share. */
final class ScaleWorld {
  static final String TABLE = "simulated";
  static final IndexCoverage COVERAGE = new IndexCoverage(1, 1, 42, 7);

  /** How many standard deviations the 99th percentile lies above the median. */
  private static final double P99_DEVIATIONS = 2.326;

  final ScaleSettings settings;
  final VirtualTime time = new VirtualTime();
  final LeaseTerms terms = LeaseTerms.standard();
  final CpuCosts costs;
  final Traffic traffic = new Traffic();
  final SplittableRandom random;

  /** The servers that count as alive. */
  final Set<String> online = new HashSet<>();

  private final double delaySigma;

  ScaleWorld(ScaleSettings settings) {
    this.settings = settings;
    this.costs = new CpuCosts(settings.cpuScale);
    this.random = new SplittableRandom(settings.seed);
    this.delaySigma = Math.log(settings.delayP99Millis / settings.delayMillis) / P99_DEVIATIONS;
  }

  /** Delivers a message after a time that the network takes. */
  void deliver(Runnable arrival) {
    double millis = settings.delayMillis * Math.exp(delaySigma * random.nextGaussian());
    time.in((long) (millis * VirtualTime.MILLI), arrival);
  }

  /** Which holder an element belongs to. */
  int holderOf(long element) {
    return (int) ((element >>> 33) % settings.holders);
  }
}
