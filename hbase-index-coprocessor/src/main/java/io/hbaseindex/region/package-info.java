/** The region observer: hooks, and what one region knows about its indexes. */
package io.hbaseindex.region;
