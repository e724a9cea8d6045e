/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.report.Plot;

/**
 * What a measurement shows.
 *
 * @param table a Markdown table, with notes
 * @param csv the course of it; null if it has none
 * @param plot a picture of it; null if it has none
 * @param right whether all answers were right
 */
record ScaleOutcome(String table, String csv, Plot plot, boolean right) {}
