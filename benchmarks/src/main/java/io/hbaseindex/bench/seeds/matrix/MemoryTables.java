/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import com.sun.management.ThreadMXBean;
import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.seeds.tuple.AttributeSet;
import io.hbaseindex.seeds.tuple.CutBloomFilterMatrix;
import io.hbaseindex.seeds.tuple.MatrixLayout;
import io.hbaseindex.seeds.tuple.MemoryLimit;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/** Tables 2 and 3 and Figure 11: how large the matrices are. */
final class MemoryTables {
  private static final double BITS_PER_MEBIBYTE = 8 << 20;

  /** There written 0x5 and 0x3, attributes counted from the lowest bit. */
  private static final List<AttributeSet> PUBLISHED_CUTS =
      List.of(new AttributeSet(0x5), new AttributeSet(0x3));

  private static final String[][] TABLE_2 = {
    {"42", "604"}, {"21", "302"}, {"14", "201"}, {"10", "151"}, {"8", "121"}
  };

  private static final String[][] TABLE_3 = {
    {"13,125.00", "2.74"},
    {"105,007.00", "10.96"},
    {"354,328.05", "24.65"},
    {"839,932.53", "43.81"},
    {"1,640,339.20", "68.46"}
  };

  private static final MemoryLimit LIMIT = MemoryLimit.ofMebibytes(100);

  String tables() {
    return "Elements that fit into 1 MB at error ε for single attributes (Table 2):\n\n"
        + elementsTable()
        + "\nMebibytes for 1,000 elements (Table 3):\n\n"
        + memoryTable();
  }

  private static MarkdownTable elementsTable() {
    MarkdownTable table =
        new MarkdownTable(
            "ε", "BFM claim", "BFM formula", "CBFM claim", "CBFM formula", "CBFM ÷ BFM");
    MatrixLayout full = oneMebibyte(List.of());
    MatrixLayout cut = oneMebibyte(PUBLISHED_CUTS);
    for (int exponent = 1; exponent <= TABLE_2.length; exponent++) {
      double perElement = BloomShape.optimalBits(1, Math.pow(10, -exponent));
      double bfm = full.axisLength(0) / perElement;
      double cbfm = cut.axisLength(0) / perElement;
      table.row(
          "1e-" + exponent,
          TABLE_2[exponent - 1][0],
          decimal(bfm),
          TABLE_2[exponent - 1][1],
          decimal(cbfm),
          decimal(cbfm / bfm));
    }
    return table;
  }

  private static MatrixLayout oneMebibyte(List<AttributeSet> cuts) {
    return MatrixLayout.within((long) BITS_PER_MEBIBYTE, new double[] {1, 1, 1}, cuts);
  }

  private static MarkdownTable memoryTable() {
    MarkdownTable table =
        new MarkdownTable(
            "ε", "BFM claim", "BFM formula", "CBFM claim", "CBFM formula", "CBFM allocated");
    for (int exponent = 1; exponent <= TABLE_3.length; exponent++) {
      long axis = MatrixLayout.axisLength(1_000, Math.pow(10, -exponent));
      MatrixLayout cut = MatrixLayout.uniform(3, axis, PUBLISHED_CUTS);
      table.row(
          "1e-" + exponent,
          TABLE_3[exponent - 1][0],
          mebibytes(MatrixLayout.uniform(3, axis, List.of()).bits().doubleValue()),
          TABLE_3[exponent - 1][1],
          mebibytes(cut.bits().doubleValue()),
          mebibytes(8.0 * allocatedBytes(cut)));
    }
    return table;
  }

  String figure11(Docs docs) {
    MarkdownTable table =
        new MarkdownTable(
            "attributes",
            "BFM formula, bytes",
            "CBFM formula, bytes",
            "CBFM allocated, bytes",
            "BFM ÷ CBFM");
    long axis = MatrixLayout.axisLength(100, 0.1);
    double[] dimensions = {1, 2, 3, 4};
    double[] bfm = new double[4];
    double[] cbfm = new double[4];
    double[] allocated = new double[4];
    for (int i = 0; i < dimensions.length; i++) {
      int attributes = i + 1;
      List<AttributeSet> cuts = attributes < 3 ? List.of() : List.of(AttributeSet.of(0, 1));
      MatrixLayout cut = MatrixLayout.uniform(attributes, axis, cuts);
      bfm[i] = MatrixLayout.uniform(attributes, axis, List.of()).bits().doubleValue() / 8;
      cbfm[i] = cut.bits().doubleValue() / 8;
      allocated[i] = allocatedBytes(cut);
      table.row(
          attributes,
          whole(bfm[i]),
          whole(cbfm[i]),
          whole(allocated[i]),
          decimal(bfm[i] / cbfm[i]));
    }
    LinePlot plot =
        new LinePlot("Memory against attributes (n = 100, ε = 0.1)", "attributes", "bytes")
            .logarithmicY()
            .line("BFM, formula", dimensions, bfm)
            .line("CBFM, formula", dimensions, cbfm)
            .line("CBFM, allocated", dimensions, allocated);
    return table + "\n" + docs.plot("000-figure-11", plot);
  }

  /** Bytes of heap that creating the filter takes, as the JVM counts them. */
  private static long allocatedBytes(MatrixLayout layout) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    CutBloomFilterMatrix filter = new CutBloomFilterMatrix(layout, 3, LIMIT);
    long after = threads.getCurrentThreadAllocatedBytes();
    if (filter.memoryBits() != layout.bits().longValueExact()) {
      throw new IllegalStateException(
          "The filter has %d bits, its layout %s".formatted(filter.memoryBits(), layout.bits()));
    }
    return after - before;
  }

  private static String mebibytes(double bits) {
    return String.format(Locale.ROOT, "%,.2f", bits / BITS_PER_MEBIBYTE);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
