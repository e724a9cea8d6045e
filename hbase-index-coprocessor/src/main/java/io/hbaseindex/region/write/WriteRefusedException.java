/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.metrics.WriteRefusal;
import java.io.IOException;

/**
 * A write that would leave the index wrong; the message says what to do instead. Never sent to
 * clients, which could not make an object of it.
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
