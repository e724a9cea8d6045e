/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The command line of the benchmarks. */
package io.hbaseindex.bench;
