/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Microbenchmarks and how their results are written down. */
package io.hbaseindex.bench.jmh;
