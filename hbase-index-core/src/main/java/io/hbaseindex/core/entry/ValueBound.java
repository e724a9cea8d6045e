/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import org.apache.yetus.audience.InterfaceAudience;

/** One end of a range of values. */
@InterfaceAudience.Private
public record ValueBound(byte[] value, boolean inclusive) {
  /** Values from this one on, or up to this one. */
  public static ValueBound inclusive(byte[] value) {
    return new ValueBound(value, true);
  }

  /** Values above this one, or below it. */
  public static ValueBound exclusive(byte[] value) {
    return new ValueBound(value, false);
  }
}
