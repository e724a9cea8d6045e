/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Our indexes beside those of Apache Phoenix, on one cluster, in one run. */
package io.hbaseindex.bench.phoenix;
