/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The table whose regions hold filters on large clusters, and how its regions are called. */
package io.hbaseindex.common.holders;
