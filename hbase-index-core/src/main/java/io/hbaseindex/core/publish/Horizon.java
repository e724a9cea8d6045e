/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

/**
 * A moment after which no master can trust a filter by the tokens that were echoed for it. It
 * starts as passed. It can be moved to a later moment; only {@link #end} brings it nearer.
 */
final class Horizon {
  private boolean pending;
  private long until;

  /** The horizon is not before this moment. */
  void extendTo(long nanos) {
    if (!pending || nanos - until > 0) {
      pending = true;
      until = nanos;
    }
  }

  /** The horizon is not before that of another one, either. */
  void extendTo(Horizon other) {
    if (other.pending) {
      extendTo(other.until);
    }
  }

  /** There is no trust left. */
  void end() {
    pending = false;
  }

  /** Whether no trust can be left. */
  boolean hasPassed(long now) {
    if (pending && now - until >= 0) {
      pending = false;
    }
    return !pending;
  }

  /** The earlier of the horizon, if it has not passed, and another moment. */
  long earlierOf(long other, long now) {
    return hasPassed(now) ? other : earlier(until, other);
  }

  /** The earlier of two moments of a clock that may overflow. */
  static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  /** The later of two moments of a clock that may overflow. */
  static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }
}
