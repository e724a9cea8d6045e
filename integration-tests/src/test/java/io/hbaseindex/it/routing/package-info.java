/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The global index on a real cluster: filters at the master, scans that visit only some regions.
 */
package io.hbaseindex.it.routing;
