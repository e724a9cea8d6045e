/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.ask;

/** A way of asking for the rows with a value. */
public enum Way {
  /** A connection that asks the active master where to look. */
  STRONG,
  /** The same, asynchronously. */
  ASYNC,
  /** As the first, for nothing but columns that the index carries, so that no row need be read. */
  COVERED,
  /** All regions are asked, and each uses its index. */
  UNROUTED,
  /** All regions are asked, and none may use an index. */
  PLAIN,
  /** A connection that looks where its own copy of the filters says; may miss young writes. */
  BOUNDED;

  /** Whether every write that was acknowledged before must be seen. */
  public boolean isStrong() {
    return this != BOUNDED;
  }
}
