/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.seeds.StructureTable;
import io.hbaseindex.bench.seeds.matrix.CapacityFigure.Curve;
import io.hbaseindex.bench.tuple.Structure;

/** One row per tuple filter: what it is good for and what it takes. */
final class StructureSummary {
  private StructureSummary() {}

  static String of(CapacityFigure capacity, SpeedFigure speed) {
    StructureTable table = new StructureTable();
    for (Structure structure : Structure.values()) {
      Curve full = capacity.full(structure);
      Curve pair = capacity.pair(structure);
      table.row(
          name(structure),
          purpose(structure),
          "%s full, %s pair".formatted(full.bitsPerElement(), pair.bitsPerElement()),
          "%s full, %s pair".formatted(full.errorAtCapacity(), pair.errorAtCapacity()),
          speed.cost(structure));
    }
    return table.toString();
  }

  private static String name(Structure structure) {
    return switch (structure) {
      case SBF -> "SBF `TupleBloomFilter`";
      case VECTOR -> "001 `VectorBloomFilter`";
      case MDBF -> "MDBF `MultiDimensionalBloomFilter`";
      case CMDBF -> "CMDBF `CombinedMultiDimensionalBloomFilter`";
      case CBF -> "Cartesian CBF `CartesianBloomFilter`";
      case BFM -> "BFM `BloomFilterMatrix`";
      case CBFM -> "CBFM, one pair cut `CutBloomFilterMatrix`";
      case CBFM_2_CUTS -> "CBFM, two pairs cut `CutBloomFilterMatrix`";
      case WCBFM -> "WCBFM 1 : 4 : 4, one pair cut `CutBloomFilterMatrix`";
      case SEVEN_SBF -> "yardstick: a `BloomFilter` per combination";
    };
  }

  private static String purpose(Structure structure) {
    return switch (structure) {
      case SBF -> "full tuples only, the smallest";
      case VECTOR -> "full tuples only; k passes where SBF needs one";
      case MDBF -> "single attributes; blind to what stood together";
      case CMDBF -> "single attributes and full tuples";
      case CBF -> "any combination, few elements; inserts cheap, partial queries enumerate";
      case BFM -> "any combination, few elements";
      case CBFM -> "some combinations, small domains";
      case CBFM_2_CUTS -> "one pair of attributes that is always asked for";
      case WCBFM -> "attributes whose domains differ in size";
      case SEVEN_SBF -> "any combination";
    };
  }
}
