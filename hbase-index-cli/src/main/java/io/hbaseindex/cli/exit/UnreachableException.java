/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.exit;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/** The cluster cannot be reached; the message says what was tried. */
@InterfaceAudience.Private
public final class UnreachableException extends IOException {
  private static final long serialVersionUID = 1L;

  public UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
