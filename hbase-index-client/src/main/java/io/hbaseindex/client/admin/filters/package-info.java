/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How the filters at the active master stand, region by region and server by server. */
package io.hbaseindex.client.admin.filters;
