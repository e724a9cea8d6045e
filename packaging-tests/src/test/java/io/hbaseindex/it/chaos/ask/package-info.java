/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The table that everything happens to, what is asked of it, and the ways of asking. */
package io.hbaseindex.it.chaos.ask;
