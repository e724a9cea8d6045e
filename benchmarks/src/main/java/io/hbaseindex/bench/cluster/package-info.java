/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** Measurements on a real cluster that runs in this process. */
package io.hbaseindex.bench.cluster;
