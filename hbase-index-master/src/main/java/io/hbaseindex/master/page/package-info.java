/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The page in the master's own web UI: reads how indexes and filters stand, and explains a route.
 * It changes nothing and calls no server.
 */
package io.hbaseindex.master.page;
