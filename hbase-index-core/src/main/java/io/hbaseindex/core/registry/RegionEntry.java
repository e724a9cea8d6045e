/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.OpenReason;

/**
 * One announced region at the master: the filter in use, the filter that is being staged, and the
 * generations that must not be trusted. Either filter may be absent.
 *
 * <p>Whoever changes an entry, or reads more of it than a route does, holds its monitor. Routes
 * read the filter, the reason and whether the entry is over without it. That an entry is over may
 * be said by anybody at any time: from then on no route is answered by it, and whoever gets its
 * monitor next leaves it alone.
 */
final class RegionEntry {
  /** The region by the number its server gave it. */
  record Key(String server, int region) {}

  private final Key key;
  private final RegionIncarnation incarnation;
  private final TableRoutes table;
  private volatile TrustedFilter filter;
  private StagedFilter staged;
  private volatile OpenReason reason = OpenReason.NOT_READY;
  private volatile Verdict over;
  private long abandoned;
  private volatile long heardNanos;

  RegionEntry(Key key, RegionIncarnation incarnation, TableRoutes table) {
    this.key = key;
    this.incarnation = incarnation;
    this.table = table;
  }

  Key key() {
    return key;
  }

  RegionIncarnation incarnation() {
    return incarnation;
  }

  /** The table that the region is announced in. */
  TableRoutes table() {
    return table;
  }

  /** The entry is over; messages of its region are answered by the verdict from now on. */
  void end(Verdict verdict) {
    over = verdict;
    table.forceChanged();
  }

  /** What to answer messages of a region whose entry is over; null if it is not. */
  Verdict over() {
    return over;
  }

  /** The filter that routes are answered by, or null. */
  TrustedFilter filter() {
    return filter;
  }

  void setFilter(TrustedFilter filter) {
    this.filter = filter;
    table.forceChanged();
  }

  /** The filter that is being put together, or null. */
  StagedFilter staged() {
    return staged;
  }

  void setStaged(StagedFilter staged) {
    if (this.staged != null) {
      this.staged.discard();
    }
    this.staged = staged;
  }

  /** Why there is no filter. */
  OpenReason reason() {
    return reason;
  }

  /** Why the region cannot be judged by a filter that it has, or had; null if it can. */
  OpenReason whyOpen(TrustedFilter judging, Trust trust) {
    if (judging == null) {
      return reason;
    }
    OpenReason why = judging.whyNotTrusted(trust);
    return why == null && over != null ? OpenReason.LAPSED : why;
  }

  void setReason(OpenReason reason) {
    this.reason = reason;
  }

  /** No generation up to this one will be trusted again. */
  long abandoned() {
    return abandoned;
  }

  void abandon(long generation) {
    abandoned = Math.max(abandoned, generation);
  }

  /** The highest generation that is known. */
  long newestGeneration() {
    long newest = filter == null ? abandoned : Math.max(abandoned, filter.generation());
    return staged == null ? newest : Math.max(newest, staged.generation());
  }

  long silentNanos(long now) {
    return now - heardNanos;
  }

  void heard(long nanos) {
    heardNanos = nanos;
  }
}
