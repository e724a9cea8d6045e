/**
 * What the index did, counted: per region for the status call, per table and per server for the
 * metric registries of HBase.
 */
package io.hbaseindex.region.metrics;
