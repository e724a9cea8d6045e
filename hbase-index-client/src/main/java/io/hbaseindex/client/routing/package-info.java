/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Routing at the client: asks the master where rows may be, and scans only there. */
package io.hbaseindex.client.routing;
