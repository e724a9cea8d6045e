/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Paper 003: search filters and the minimum-hash directory. */
package io.hbaseindex.bench.seeds.directory;
