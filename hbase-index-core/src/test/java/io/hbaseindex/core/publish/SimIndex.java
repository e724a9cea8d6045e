package io.hbaseindex.core.publish;

import io.hbaseindex.core.hash.BitMixer;

/** An index of one column, as one definition. */
record SimIndex(int column, IndexCoverage coverage) {
  long element(int value) {
    long space = coverage.index() * 1_000 + coverage.version();
    return BitMixer.mix(coverage.seed() + BitMixer.mix(space) + value);
  }
}
