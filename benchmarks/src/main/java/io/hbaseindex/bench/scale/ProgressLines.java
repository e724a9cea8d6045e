/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

/** Says every few seconds of real time how far a simulation is. */
final class ProgressLines implements ScaleSimulation.Progress {
  private static final long EVERY_NANOS = 5_000_000_000L;

  private final ScaleSettings settings;
  private long nextNanos = System.nanoTime() + EVERY_NANOS;

  ProgressLines(ScaleSettings settings) {
    this.settings = settings;
  }

  @Override
  public void at(double second, long precise) {
    if (System.nanoTime() - nextNanos >= 0) {
      nextNanos = System.nanoTime() + EVERY_NANOS;
      System.err.printf(
          "second %.2f of %.0f: %,d of %,d regions precise%n",
          second, settings.settle + settings.seconds, precise, settings.allRegions());
    }
  }
}
