/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.time.Duration;
import java.util.List;

/**
 * What came of a question, asked in one way.
 *
 * @param keys row keys in the order they came
 * @param median how long it took, the middle one of several times
 * @param cost what the servers counted, for one time
 */
record TimedAnswer(List<String> keys, Duration median, Reads.Cost cost) {

  TimedAnswer {
    keys = List.copyOf(keys);
  }

  /** Rows that the servers looked at: those returned and those the filter threw away. */
  long rowsRead() {
    return keys.size() + cost.rowsFiltered();
  }
}
