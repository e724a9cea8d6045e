/** Candidate rows in row order, read from postings. */
package io.hbaseindex.region.scan.candidates;
