/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import org.apache.yetus.audience.InterfaceAudience;

/** Bytes in the index that are not a posting of a known format. */
@InterfaceAudience.Private
public final class MalformedPostingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public MalformedPostingException(String message) {
    super(message);
  }
}
