/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Who holds the filters: the active master, or several holders that share the values of a table
 * among them by their hashes.
 */
package io.hbaseindex.core.shard;
