/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** A kind of table that is measured beside others. */
interface BenchTable {
  String label();

  /** The start of the names of such tables. */
  String name();

  TableDescriptor table(TableName name);
}
