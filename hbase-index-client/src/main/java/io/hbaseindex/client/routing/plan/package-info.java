/** How a scan is planned: which of its regions can be left out. */
package io.hbaseindex.client.routing.plan;
