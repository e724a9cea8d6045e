/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Table;

/**
 * One call of a client that writes.
 *
 * @param rows the rows it may change
 * @param operations how many mutations it carries
 * @param text what it does, for a person who reads a failure; made only then
 * @param call the call itself
 */
record Step(List<byte[]> rows, int operations, Supplier<String> text, Call call) {

  /** A call against the table. */
  @FunctionalInterface
  interface Call {
    void on(Table table) throws IOException, InterruptedException;
  }
}
