/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What queries and writes cost on a real cluster, the more regions a table has. */
package io.hbaseindex.bench.scale.cluster;
