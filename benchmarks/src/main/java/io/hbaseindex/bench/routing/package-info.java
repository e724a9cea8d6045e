/** Asking many filters at once beside asking each in turn. */
package io.hbaseindex.bench.routing;
