/** Checks and repairs of a region's indexes, and the service through which clients ask for them. */
package io.hbaseindex.region.check;
