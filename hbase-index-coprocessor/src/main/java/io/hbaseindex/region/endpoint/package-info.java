/**
 * The region's remote procedures: status, checks, repairs, explanations, and questions relayed to
 * the master.
 */
package io.hbaseindex.region.endpoint;
