/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds;

import io.hbaseindex.bench.report.Docs;

/**
 * Reruns what one seed paper measured, and writes claim, formula and measurement side by side into
 * its sections of {@code docs/SEEDS.md}.
 *
 * <p>An experiment that draws random numbers takes them from a fixed seed, so that a second run
 * writes the same text, except where it measures time.
 */
public interface SeedExperiment {
  /** The three digits that name the paper. */
  String seed();

  /** Runs all of the paper's experiments. */
  void run(Docs docs);
}
