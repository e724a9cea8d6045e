/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.definition;

import org.apache.yetus.audience.InterfaceAudience;

/** An index definition that cannot be used; the message says what is wrong and what to do. */
@InterfaceAudience.Public
public final class DefinitionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** An error whose message says what cannot be, and what to do about it. */
  public DefinitionException(String message) {
    super(message);
  }

  DefinitionException(String message, Throwable cause) {
    super(message, cause);
  }
}
