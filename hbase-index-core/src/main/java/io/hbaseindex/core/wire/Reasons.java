/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.wire;

import io.hbaseindex.core.route.OpenReason;

/** A reason that may be absent: {@code uint8}, 0 for none, else one more than its ordinal. */
final class Reasons {
  private static final OpenReason[] ALL = OpenReason.values();

  private Reasons() {}

  static void write(WireWriter out, OpenReason reason) {
    out.uint8(reason == null ? 0 : reason.ordinal() + 1);
  }

  static OpenReason read(WireReader in) {
    int code = in.uint8();
    if (code > ALL.length) {
      throw new IllegalArgumentException("a reason was " + code);
    }
    return code == 0 ? null : ALL[code - 1];
  }
}
