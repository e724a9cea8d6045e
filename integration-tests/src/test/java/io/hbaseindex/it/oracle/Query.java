/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import org.apache.hadoop.hbase.client.Scan;

/**
 * One question: its kind, and the scan that asks it. The scan is a template, to be copied per use.
 */
record Query(QueryShape shape, Scan scan) {

  @Override
  public String toString() {
    return shape + " " + scan.getFilter() + " in " + scan;
  }
}
