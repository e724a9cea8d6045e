/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import org.knowm.xchart.internal.chartpart.Chart;

/** Something {@link Docs} can draw. */
public interface Plot {
  /** The chart with everything that was added to it. */
  Chart<?, ?> chart();
}
