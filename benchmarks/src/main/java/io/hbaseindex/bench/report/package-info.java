/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How results reach the documents: Markdown tables, plots, and the sections they replace. */
package io.hbaseindex.bench.report;
