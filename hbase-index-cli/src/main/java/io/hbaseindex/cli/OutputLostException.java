/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli;

import java.io.IOException;

/** What a command prints goes nowhere: the disk is full, or the reader of a pipe has gone. */
final class OutputLostException extends IOException {
  private static final long serialVersionUID = 1L;

  OutputLostException() {
    super(
        "Cannot write the output: it was closed, or its disk is full; what was printed is a part");
  }
}
