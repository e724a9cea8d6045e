/** Where routes come from: the master, a region that relays, or a copy of the filters. */
package io.hbaseindex.client.routing.source;
