/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.vector;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.ErrorRate;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.seeds.SeedExperiment;
import io.hbaseindex.bench.tuple.AttributeHasher;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.seeds.tuple.MemoryLimit;
import io.hbaseindex.seeds.tuple.VectorBloomFilter;
import java.util.SplittableRandom;

/**
 * The error rate of seed 001: 1,000 bits, five hash functions, vectors of three integers.
 *
 * <p>The report's own data are three consecutive vectors (1, 2, 3), (2, 3, 4), (3, 4, 5); more of
 * the same kind are added until its claimed error is reached. Queries hold, with chance α, a value
 * of a stored vector, else a random one; the report has α = 0.8.
 */
public final class VectorExperiment implements SeedExperiment {
  private static final int BITS = 1_000;
  private static final int HASHES = 5;
  private static final int ATTRIBUTES = 3;
  private static final double REPORTED_ALPHA = 0.8;

  /** Values are small, as the report's are: its hash wraps differently where they are not. */
  private static final int VALUES = 10_000;

  private static final double CLAIMED = 0.005;

  private static final int[] ELEMENTS = {3, 10, 20, 40, 85, 150, 300};

  /** Filters per row, each with other seeds, since one filter's luck decides small errors. */
  private static final int FILTERS = 200;

  private static final int QUERIES_PER_FILTER = 20_000;

  @Override
  public String seed() {
    return "001";
  }

  @Override
  public void run(Docs docs) {
    MarkdownTable table =
        new MarkdownTable(
            "vectors",
            "claim",
            "formula",
            "repaired, α = 0.8",
            "as printed, α = 0.8",
            "as printed, α = 0");
    double[] counts = new double[ELEMENTS.length];
    double[] formula = new double[ELEMENTS.length];
    double[] repaired = new double[ELEMENTS.length];
    double[] printed = new double[ELEMENTS.length];
    for (int i = 0; i < ELEMENTS.length; i++) {
      Errors errors = measure(ELEMENTS[i], REPORTED_ALPHA);
      counts[i] = ELEMENTS[i];
      formula[i] = new BloomShape(BITS, HASHES).expectedError(ELEMENTS[i]);
      repaired[i] = errors.repaired().value();
      printed[i] = errors.printed().value();
      table.row(
          ELEMENTS[i],
          ELEMENTS[i] == 3 ? ErrorRate.format(CLAIMED) : "–",
          ErrorRate.format(formula[i]),
          errors.repaired(),
          errors.printed(),
          measure(ELEMENTS[i], 0).printed());
    }
    LinePlot plot =
        new LinePlot(
                "Error of the vector filter (1,000 bits, k = 5, α = 0.8)",
                "vectors stored",
                "error")
            .logarithmicX()
            .logarithmicY()
            .line("formula", counts, formula)
            .line("repaired", counts, repaired)
            .line("as printed", counts, printed);
    docs.sectionsOf("SEEDS.md").replace("001-error", table + "\n" + docs.plot("001-error", plot));
  }

  private record Errors(ErrorRate repaired, ErrorRate printed) {}

  private static Errors measure(int elements, double alpha) {
    SplittableRandom random = new SplittableRandom(elements);
    long wrongRepaired = 0;
    long wrongPrinted = 0;
    for (int i = 0; i < FILTERS; i++) {
      // Vectors start elsewhere in every filter: the repaired hash has no seed to vary.
      int first = random.nextInt(VALUES);
      VectorBloomFilter repaired =
          new VectorBloomFilter(
              ATTRIBUTES, new BloomShape(BITS, HASHES), MemoryLimit.ofMebibytes(1));
      PrintedVectorFilter printed = new PrintedVectorFilter(BITS, HASHES, random);
      AttributeHasher hasher = new AttributeHasher(ATTRIBUTES);
      for (int n = 0; n < elements; n++) {
        int[] vector = {first + n, first + n + 1, first + n + 2};
        repaired.insert(hashes(hasher, vector));
        printed.insert(vector);
      }
      for (int query = 0; query < QUERIES_PER_FILTER; query++) {
        int[] vector = absent(first, elements, alpha, random);
        wrongRepaired += repaired.mightContain(hashes(hasher, vector)) ? 1 : 0;
        wrongPrinted += printed.mightContain(vector) ? 1 : 0;
      }
    }
    long asked = (long) FILTERS * QUERIES_PER_FILTER;
    return new Errors(new ErrorRate(wrongRepaired, asked), new ErrorRate(wrongPrinted, asked));
  }

  /** A vector that is not stored, for its values are not consecutive. */
  private static int[] absent(int first, int elements, double alpha, SplittableRandom random) {
    int[] vector = new int[ATTRIBUTES];
    do {
      for (int attribute = 0; attribute < ATTRIBUTES; attribute++) {
        vector[attribute] =
            random.nextDouble() < alpha
                ? first + random.nextInt(elements) + attribute
                : random.nextInt(VALUES);
      }
    } while (vector[1] - vector[0] == 1 && vector[2] - vector[1] == 1);
    return vector;
  }

  private static long[] hashes(AttributeHasher hasher, int[] vector) {
    return new long[] {
      hasher.hash(0, vector[0]), hasher.hash(1, vector[1]), hasher.hash(2, vector[2])
    };
  }
}
