/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import java.io.IOException;

/**
 * A call is refused for a reason that HBase has no exception of its own for; never sent as such.
 */
final class CallRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Refusal reason;

  CallRefusedException(Refusal reason, String message) {
    super(message);
    this.reason = reason;
  }

  Refusal reason() {
    return reason;
  }
}
