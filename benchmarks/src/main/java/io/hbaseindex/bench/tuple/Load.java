/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.MatrixLayout;

/**
 * A filter's situation, from which theory gives its error.
 *
 * @param bits memory of the whole filter
 * @param hashes hash functions
 * @param elements distinct tuples inserted
 * @param alpha chance that a value in a query is one of a stored tuple, independently of the
 *     query's other values
 */
public record Load(long bits, int hashes, long elements, double alpha) {
  /** The error of a Bloom filter with so many bits. */
  double errorOf(double cells) {
    return Math.pow(-Math.expm1(-hashes * elements / cells), hashes);
  }

  /** The error for one attribute alone: a value that was stored always passes. */
  double errorOfAttribute(double cells) {
    return alpha + (1 - alpha) * errorOf(cells);
  }

  /**
   * The error of a matrix block for one combination. A block of one attribute cannot tell
   * recombined values; to a larger one they are as strange as unknown ones.
   */
  double errorOfBlock(AttributeSet combination, double cells) {
    return combination.size() == 1 ? errorOfAttribute(cells) : errorOf(cells);
  }

  /** The error of a cut matrix: that of all the blocks a query is split into. */
  public double errorOfMatrix(MatrixLayout layout, AttributeSet given) {
    double error = 1;
    for (AttributeSet part : layout.parts(given)) {
      double cells = 1;
      for (int attribute = 0; attribute < layout.attributes(); attribute++) {
        cells *= part.contains(attribute) ? layout.axisLength(attribute) : 1;
      }
      error *= errorOfBlock(part, cells);
    }
    return error;
  }
}
