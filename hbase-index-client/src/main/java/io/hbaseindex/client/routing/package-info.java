/** Asks the master where rows may be, and scans only there. */
package io.hbaseindex.client.routing;
