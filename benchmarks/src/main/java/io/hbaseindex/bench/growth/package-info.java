/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What grows with the number of indexes, the size of rows and the size of a table. */
package io.hbaseindex.bench.growth;
