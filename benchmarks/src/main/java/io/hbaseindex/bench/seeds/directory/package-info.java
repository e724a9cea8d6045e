/** Paper 003: search filters and the minimum-hash directory. */
package io.hbaseindex.bench.seeds.directory;
