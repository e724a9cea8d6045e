/** The split counting filters beside other libraries' filters. */
package io.hbaseindex.bench.filter;
