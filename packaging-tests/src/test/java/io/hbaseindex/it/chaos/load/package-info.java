/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * What clients do while a cluster is being broken, what they know of their own rows, and how they
 * judge what they read.
 */
package io.hbaseindex.it.chaos.load;
