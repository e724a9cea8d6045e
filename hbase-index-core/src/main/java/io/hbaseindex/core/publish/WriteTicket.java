/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The page of a generation that a write has to wait for. The write may be acknowledged when the
 * master has applied that page, or cannot trust that generation any more.
 */
@InterfaceAudience.Private
public record WriteTicket(long generation, long page) implements Comparable<WriteTicket> {
  static final WriteTicket NONE = new WriteTicket(0, 0);

  /** Covers every page of a generation and of all before. */
  static WriteTicket through(long generation) {
    return new WriteTicket(generation, Long.MAX_VALUE);
  }

  @Override
  public int compareTo(WriteTicket other) {
    int byGeneration = Long.compare(generation, other.generation);
    return byGeneration != 0 ? byGeneration : Long.compare(page, other.page);
  }

  WriteTicket orLater(WriteTicket other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
