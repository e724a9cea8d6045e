/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Asking the regions of a table about their indexes: their state, checks, repairs and rebuilds. */
package io.hbaseindex.client.admin;
