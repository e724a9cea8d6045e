/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Where routes come from: the master, a region that relays, or a copy of the filters. */
package io.hbaseindex.client.routing.source;
