/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.matrix;

import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.GeneratedSections;
import io.hbaseindex.bench.seeds.SeedExperiment;

/** Everything seed 000 measured: Tables 2 and 3, Figures 7 to 12. */
public final class MatrixExperiment implements SeedExperiment {
  @Override
  public String seed() {
    return "000";
  }

  @Override
  public void run(Docs docs) {
    GeneratedSections sections = docs.sectionsOf("SEEDS.md");
    sections.replace("000-tables", new MemoryTables().tables());
    sections.replace("000-figure-11", new MemoryTables().figure11(docs));
    sections.replace("000-figure-7", new CorrelationFigure().run(docs));
    CapacityFigure capacity = CapacityFigure.measure();
    sections.replace("000-capacity", capacity.section(docs));
    sections.replace("000-figure-8", new TrafficFigure().run(docs));
    sections.replace("000-figure-9", new WeightFigure().run(docs));
    SpeedFigure speed = SpeedFigure.measure();
    sections.replace("000-figure-10", speed.section(docs));
    sections.replace("000-figure-12", DimensionFigure.measure().section(docs));
    sections.replace("summary-000", StructureSummary.of(capacity, speed));
  }
}
