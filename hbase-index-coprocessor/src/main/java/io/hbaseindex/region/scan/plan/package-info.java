/** Which postings can answer a condition. */
package io.hbaseindex.region.scan.plan;
