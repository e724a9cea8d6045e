/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

/** A posting whose index row key would be longer than HBase allows a row key to be. */
public final class KeyTooLongException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public KeyTooLongException(String message) {
    super(message);
  }
}
