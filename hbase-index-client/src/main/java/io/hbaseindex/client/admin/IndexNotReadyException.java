/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Indexes did not become ready in the time given, or never will; the message says what is missing
 * and why.
 */
@InterfaceAudience.Public
public final class IndexNotReadyException extends IOException {
  private static final long serialVersionUID = 1L;

  IndexNotReadyException(String message) {
    super(message);
  }
}
