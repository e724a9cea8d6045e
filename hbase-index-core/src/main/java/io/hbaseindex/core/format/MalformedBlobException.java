/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.format;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/** Bytes that were stored or sent are not what they should be; nothing of them was used. */
@InterfaceAudience.Private
public final class MalformedBlobException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedBlobException(BlobKind kind, String why) {
    super("Cannot read " + kind + ": " + why);
  }
}
