/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
/**
 * Random workloads whose every query is answered twice, with the index and without, and must agree.
 *
 * <p>The plain scan of the same table is the oracle: it needs no model of HBase's versions, deletes
 * and time to live, so nothing of HBase can be modelled wrongly.
 */
package io.hbaseindex.it.oracle;
