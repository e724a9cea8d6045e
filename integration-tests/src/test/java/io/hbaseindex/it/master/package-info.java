/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * The master's side of the global index on real clusters: what it shows, whom it lets in, what it
 * counts, and that it stands aside when it is overrun.
 */
package io.hbaseindex.it.master;
