/** Postings: which row holds which value, and the index row key that says so. */
package io.hbaseindex.core.entry;
