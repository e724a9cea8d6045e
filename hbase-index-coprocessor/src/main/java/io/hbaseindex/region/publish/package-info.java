/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Write path, step 3: the filter over a region's live postings, and how it reaches the master. The
 * rules are in {@code io.hbaseindex.core.publish}; here are the threads and the connection.
 */
package io.hbaseindex.region.publish;
