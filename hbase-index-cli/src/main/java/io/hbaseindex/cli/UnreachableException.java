/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli;

import java.io.IOException;

/** The cluster cannot be reached; the message says what was tried. */
final class UnreachableException extends IOException {
  private static final long serialVersionUID = 1L;

  UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
