/** Measurements on a real cluster that runs in this process. */
package io.hbaseindex.bench.cluster;
