/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** The experiments of the seed papers, one package below this one per paper. */
package io.hbaseindex.bench.seeds;
