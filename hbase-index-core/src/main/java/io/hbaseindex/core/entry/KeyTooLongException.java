/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import org.apache.yetus.audience.InterfaceAudience;

/** A posting whose index row key would be longer than HBase allows a row key to be. */
@InterfaceAudience.Private
public final class KeyTooLongException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public KeyTooLongException(String message) {
    super(message);
  }
}
