/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

/** The simulated cluster broke the law. */
final class SimViolation extends AssertionError {
  private static final long serialVersionUID = 1L;

  /** What was promised. */
  enum Law {
    /** A route that starts after a write was acknowledged never excludes that write's key. */
    NOTHING_IS_EXCLUDED,
    /** No write waits for longer than a lease and the margin. */
    NOBODY_WAITS_LONG,
    /** After the last fault every region becomes precise again. */
    ALL_BECOME_PRECISE,
    /** Whole filters are sent only to a master that has just given credit for them. */
    PARTS_NEED_CREDIT,
    /** Values that have gone leave the filters with their last posting. */
    WHAT_HAS_GONE_IS_FORGOTTEN
  }

  private final Law law;

  SimViolation(Law law, String what) {
    super(what);
    this.law = law;
  }

  Law law() {
    return law;
  }
}
