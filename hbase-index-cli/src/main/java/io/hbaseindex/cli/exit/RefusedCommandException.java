/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.exit;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/** What was asked for cannot be done; the message says why and what to do. */
@InterfaceAudience.Private
public final class RefusedCommandException extends IOException {
  private static final long serialVersionUID = 1L;

  public RefusedCommandException(String message) {
    super(message);
  }

  public RefusedCommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
