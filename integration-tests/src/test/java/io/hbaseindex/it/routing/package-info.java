/**
 * The global index on a real cluster: filters at the master, scans that visit only some regions.
 */
package io.hbaseindex.it.routing;
