package io.hbaseindex.core.publish;

import io.hbaseindex.core.hash.BitMixer;

/** An index of one column, as one definition. */
record SimIndex(int column, IndexCoverage coverage) {
  long element(int value) {
    return BitMixer.mix(coverage.seed() + BitMixer.mix(coverage.index() * 31 + value));
  }
}
