/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/** What Apache Drill's HBase plugin sends to indexes. */
package io.hbaseindex.it.drill;
