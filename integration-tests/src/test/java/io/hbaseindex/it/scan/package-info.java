/** Scans that jump, against the same scans with the index switched off. */
package io.hbaseindex.it.scan;
