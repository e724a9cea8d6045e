/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli;

import java.io.IOException;

/** What was asked for cannot be done; the message says why and what to do. */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }

  RefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
