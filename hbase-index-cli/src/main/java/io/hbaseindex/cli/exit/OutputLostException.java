/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.exit;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/** What a command prints goes nowhere: the disk is full, or the reader of a pipe has gone. */
@InterfaceAudience.Private
public final class OutputLostException extends IOException {
  private static final long serialVersionUID = 1L;

  public OutputLostException() {
    super(
        "Cannot write the output: it was closed, or its disk is full; what was printed is a part");
  }
}
