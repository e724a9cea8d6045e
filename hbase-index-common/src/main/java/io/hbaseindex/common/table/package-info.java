/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The indexes of a table, as its descriptor declares them. */
package io.hbaseindex.common.table;
