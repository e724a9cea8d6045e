/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import java.io.IOException;

/**
 * The active master takes no pushes from here, and will not until somebody changes its
 * configuration or that of this server. The message says what to change.
 */
final class PushRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  PushRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
