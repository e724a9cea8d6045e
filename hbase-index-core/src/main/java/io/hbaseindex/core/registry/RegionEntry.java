/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.route.OpenReason;

/**
 * One announced region at the master: the filter in use, the filter that is being staged, and the
 * generations that must not be trusted. Either filter may be absent.
 *
 * <p>Written under the registry's lock; routes read the reason without it.
 */
final class RegionEntry {
  /** The region by the number its server gave it. */
  record Key(String server, int region) {}

  private final Key key;
  private final RegionIncarnation incarnation;
  private TrustedFilter filter;
  private StagedFilter staged;
  private volatile OpenReason reason = OpenReason.NOT_READY;
  private long abandoned;
  private long heardNanos;

  RegionEntry(Key key, RegionIncarnation incarnation) {
    this.key = key;
    this.incarnation = incarnation;
  }

  Key key() {
    return key;
  }

  RegionIncarnation incarnation() {
    return incarnation;
  }

  /** The filter that routes are answered by, or null. */
  TrustedFilter filter() {
    return filter;
  }

  void setFilter(TrustedFilter filter) {
    this.filter = filter;
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
