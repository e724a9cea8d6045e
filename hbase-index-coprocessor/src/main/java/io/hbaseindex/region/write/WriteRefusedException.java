/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.metrics.WriteRefusal;
import java.io.IOException;

/**
 * Thrown for a write that would leave the index wrong; the message says what to do instead. It is
 * never sent to clients, which do not know the class.
 */
final class WriteRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final WriteRefusal reason;

  WriteRefusedException(WriteRefusal reason, String message) {
    super(message);
    this.reason = reason;
  }

  WriteRefusal reason() {
    return reason;
  }
}
