/** The client on a real cluster: connections whose scans visit only the regions that matter. */
package io.hbaseindex.it.client;
