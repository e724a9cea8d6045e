/** The tuple filters at equal memory: workloads, errors by theory and measurement, and speed. */
package io.hbaseindex.bench.tuple;
