/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Routes by some of the columns of an index. */
package io.hbaseindex.it.combination;
