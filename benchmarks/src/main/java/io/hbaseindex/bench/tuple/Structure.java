/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.tuple;

import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.BloomFilterMatrix;
import io.hbaseindex.seeds.tuple.CartesianBloomFilter;
import io.hbaseindex.seeds.tuple.CombinedMultiDimensionalBloomFilter;
import io.hbaseindex.seeds.tuple.CutBloomFilterMatrix;
import io.hbaseindex.seeds.tuple.MatrixLayout;
import io.hbaseindex.seeds.tuple.MemoryLimit;
import io.hbaseindex.seeds.tuple.MultiDimensionalBloomFilter;
import io.hbaseindex.seeds.tuple.TupleBloomFilter;
import io.hbaseindex.seeds.tuple.TupleFilter;
import io.hbaseindex.seeds.tuple.VectorBloomFilter;
import java.util.List;

/** The tuple filters over three attributes, each of which can be made to fit a given memory. */
public enum Structure {
  /** One Bloom filter over whole tuples. */
  SBF(
      (bits, hashes) ->
          new TupleBloomFilter(
              Structure.ATTRIBUTES, new BloomShape(bits, hashes), new MemoryLimit(bits)),
      Structure::wholeTupleError),

  /** One Bloom filter over whole tuples that hashes them anew for each position. */
  VECTOR(
      (bits, hashes) ->
          new VectorBloomFilter(
              Structure.ATTRIBUTES, new BloomShape(bits, hashes), new MemoryLimit(bits)),
      Structure::wholeTupleError),

  /** One Bloom filter per attribute. */
  MDBF(
      (bits, hashes) ->
          new MultiDimensionalBloomFilter(
              Structure.ATTRIBUTES,
              new BloomShape(bits / Structure.ATTRIBUTES, hashes),
              new MemoryLimit(bits)),
      (given, load) ->
          Math.pow(load.errorOfAttribute(load.bits() / Structure.ATTRIBUTES), given.size())),

  /** One Bloom filter per attribute and one over whole tuples. */
  CMDBF(
      (bits, hashes) ->
          new CombinedMultiDimensionalBloomFilter(
              Structure.ATTRIBUTES,
              new BloomShape(bits / (Structure.ATTRIBUTES + 1), hashes),
              new MemoryLimit(bits)),
      (given, load) -> {
        long cells = load.bits() / (Structure.ATTRIBUTES + 1);
        double attributes = Math.pow(load.errorOfAttribute(cells), given.size());
        return given.size() < Structure.ATTRIBUTES ? attributes : attributes * load.errorOf(cells);
      }),

  /** The Cartesian bit matrix over whole tuples, partial queries by enumeration. */
  CBF(
      (bits, hashes) ->
          new CartesianBloomFilter(
              Structure.ATTRIBUTES, cubeAxis(bits), hashes, new MemoryLimit(bits)),
      (given, load) -> load.errorOfBlock(given, Math.pow(cubeAxis(load.bits()), given.size()))),

  /** The bit matrix over all attribute combinations; one position of each axis is the marker. */
  BFM(
      (bits, hashes) ->
          new BloomFilterMatrix(
              Structure.ATTRIBUTES, cubeAxis(bits) - 1, hashes, new MemoryLimit(bits)),
      (given, load) -> load.errorOfBlock(given, Math.pow(cubeAxis(load.bits()) - 1, given.size()))),

  /** The matrix without the pair of the first and third attribute. */
  CBFM(List.of(AttributeSet.of(0, 2)), 1, 1, 1),

  /** The matrix with the cuts of the published tables: the first attribute stands alone. */
  CBFM_2_CUTS(List.of(AttributeSet.of(0, 2), AttributeSet.of(0, 1)), 1, 1, 1),

  /** As {@link #CBFM}, the axes of the last two attributes four times as long as the first. */
  WCBFM(List.of(AttributeSet.of(0, 2)), 1, 4, 4),

  /** A Bloom filter of its own for each of the seven combinations, as a yardstick. */
  SEVEN_SBF(
      (bits, hashes) -> new CombinationBloomFilters(Structure.ATTRIBUTES, bits, hashes),
      (given, load) ->
          load.errorOfBlock(
              given, CombinationBloomFilters.bitsEach(Structure.ATTRIBUTES, load.bits())));

  /** Number of attributes of the tuples. */
  public static final int ATTRIBUTES = 3;

  /** A query for a full tuple. */
  public static final AttributeSet ALL = AttributeSet.first(ATTRIBUTES);

  /** The pair of attributes that is asked for; no structure here cuts it. */
  public static final AttributeSet PAIR = AttributeSet.of(1, 2);

  private final FilterFactory factory;
  private final ErrorFormula formula;

  Structure(FilterFactory factory, ErrorFormula formula) {
    this.factory = factory;
    this.formula = formula;
  }

  Structure(List<AttributeSet> cuts, double... weights) {
    this(
        (bits, hashes) ->
            new CutBloomFilterMatrix(
                MatrixLayout.within(bits, weights, cuts), hashes, new MemoryLimit(bits)),
        (given, load) ->
            load.errorOfMatrix(MatrixLayout.within(load.bits(), weights, cuts), given));
  }

  /** An empty filter of this structure that takes at most so many bits. */
  public TupleFilter create(long bits, int hashes) {
    return factory.create(bits, hashes);
  }

  /** The error that theory gives for a query with the given attributes. */
  public double expectedError(AttributeSet given, Load load) {
    return formula.error(given, load);
  }

  /** The error of a filter over whole tuples, which cannot deny a partial query. */
  private static double wholeTupleError(AttributeSet given, Load load) {
    return given.size() < ATTRIBUTES ? 1 : load.errorOf(load.bits());
  }

  /** The longest axis of a cube of at most so many cells. */
  private static long cubeAxis(long bits) {
    long axis = Math.round(Math.cbrt(bits));
    return axis * axis * axis > bits ? axis - 1 : axis;
  }

  @FunctionalInterface
  private interface FilterFactory {
    TupleFilter create(long bits, int hashes);
  }

  @FunctionalInterface
  private interface ErrorFormula {
    double error(AttributeSet given, Load load);
  }
}
