/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** How long answers take that regions give by their indexes, in place of rows. */
package io.hbaseindex.bench.answers;
