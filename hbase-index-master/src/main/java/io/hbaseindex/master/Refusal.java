/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

/** Why the master refused a call. The names are part of metric names. */
enum Refusal {
  /** The caller may not do that. */
  DENIED,
  /** The message could not be read: damaged, nonsensical, or of a version of the future. */
  MALFORMED,
  /** The message was larger than any honest one. */
  OVERSIZED,
  /** As many calls of its kind were being answered as may be. */
  BUSY,
  /** A fault of the master; its log says more. */
  FAILED
}
