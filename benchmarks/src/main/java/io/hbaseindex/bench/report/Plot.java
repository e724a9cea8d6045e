package io.hbaseindex.bench.report;

import org.knowm.xchart.internal.chartpart.Chart;

/** Something {@link Docs} can draw. */
public interface Plot {
  /** The chart with everything that was added to it. */
  Chart<?, ?> chart();
}
