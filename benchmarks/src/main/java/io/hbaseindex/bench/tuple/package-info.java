/** The tuple filters at equal memory, their workloads and the errors that theory gives them. */
package io.hbaseindex.bench.tuple;
