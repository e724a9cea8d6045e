/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.time.Moment;
import java.util.List;
import java.util.OptionalLong;

/**
 * One generation of one region's filter in the routing matrix, and for how long it may be trusted.
 *
 * <p>Written under the monitor of the region's entry, read by routes without it.
 */
final class TrustedFilter {
  /**
   * The bounds of a filter within the memory for filters. Where that becomes scarce they are made
   * coarse, which excludes less and is never wrong; filters come first.
   *
   * <p>Written under the monitor of the region's entry, read without it.
   */
  static final class HeldBounds {
    /** What bounds take in any case, and is not counted. */
    private static final long COARSE_BYTES = 1 << 10;

    private final MatrixBudget budget;

    /** Never narrower than before. */
    private volatile RegionBounds bounds = RegionBounds.EVERYTHING;

    private long taken;

    HeldBounds(MatrixBudget budget) {
      this.budget = budget;
    }

    RegionBounds now() {
      return bounds;
    }

    void set(RegionBounds first) {
      bounds = fitting(first);
    }

    void widen(RegionBounds by) {
      bounds = fitting(bounds.union(by));
    }

    private RegionBounds fitting(RegionBounds wanted) {
      long bytes = wanted.bytes();
      if (bytes <= COARSE_BYTES) {
        return wanted;
      }
      if (bytes <= taken || budget.tryTakeSparing(bytes - taken)) {
        taken = Math.max(taken, bytes);
        return wanted;
      }
      release();
      return wanted.bounded(COARSE_BYTES / 2);
    }

    /** Leaves the memory to others. */
    void release() {
      budget.giveBack(taken);
      taken = 0;
    }
  }

  private final int owner;
  private final long generation;
  private final List<IndexCoverage> coverage;
  private final SegmentCensus census;

  private final HeldBounds bounds;
  private long page;
  private volatile LeaseToken trust;
  private volatile boolean ended;

  TrustedFilter(
      int owner,
      long generation,
      List<IndexCoverage> coverage,
      HeldBounds bounds,
      SegmentCensus census,
      long page) {
    this.owner = owner;
    this.generation = generation;
    this.coverage = coverage;
    this.bounds = bounds;
    this.census = census;
    this.page = page;
  }

  /** The filter's id in the matrix. */
  int owner() {
    return owner;
  }

  long generation() {
    return generation;
  }

  List<IndexCoverage> coverage() {
    return coverage;
  }

  boolean covers(IndexCoverage index) {
    return coverage.contains(index);
  }

  RegionBounds bounds() {
    return bounds.now();
  }

  HeldBounds heldBounds() {
    return bounds;
  }

  SegmentCensus census() {
    return census;
  }

  /** The last page applied. */
  long page() {
    return page;
  }

  void applied(RegionMessage.ApplyPage message) {
    message.changes().replay(census);
    bounds.widen(message.widened());
    page = message.page();
  }

  /** Trusts the filter for as long as the token gives, if that is longer than before. */
  void trust(LeaseToken token) {
    LeaseToken before = trust;
    if (before == null || token.issuedNanos() - before.issuedNanos() > 0) {
      trust = token;
    }
  }

  /** The token that trust is counted from; null if there is none. */
  LeaseToken token() {
    return trust;
  }

  /** Never trusts the filter again. */
  void end() {
    ended = true;
  }

  /** The age of the token that trust is counted from; empty if there is none. */
  OptionalLong lagNanos(Moment now) {
    LeaseToken token = trust;
    return token == null
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, now.nanos() - token.issuedNanos()));
  }

  /** Whether the filter may be trusted. */
  boolean isTrusted(Trust allowed) {
    return whyNotTrusted(allowed) == null;
  }

  /** Why the filter may not be trusted; null if it may. */
  OpenReason whyNotTrusted(Trust allowed) {
    OpenReason why = allowed.whyNotBy(trust);
    return why == null && ended ? OpenReason.LAPSED : why;
  }
}
