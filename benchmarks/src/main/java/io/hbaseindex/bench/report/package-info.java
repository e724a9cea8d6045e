/** How results reach the documents: Markdown tables, plots, and the sections they replace. */
package io.hbaseindex.bench.report;
