/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.route.RegionBounds;
import java.util.ArrayDeque;
import java.util.List;

/**
 * A log of the changes of a filter since a snapshot of it, in order, cut into pages that are
 * numbered from 1. A page that has been cut never changes, so it can be sent twice without harm.
 *
 * <p>Pages are kept until they are confirmed. What bounds the log is its owner, who gives the
 * filter up and drops the log when {@link #bytes} passes a limit.
 */
class ChangeLog implements FilterChangeListener {
  /** Some consecutive changes. */
  static final class Page {
    private final long number;
    private final FilterChanges changes = new FilterChanges();
    private RegionBounds widened = RegionBounds.NOTHING;
    private boolean awaited;
    private long awaitedSince;

    Page(long number) {
      this.number = number;
    }

    long number() {
      return number;
    }

    FilterChanges changes() {
      return changes;
    }

    /** Bounds become wider and never narrower, so their order does not matter. */
    RegionBounds widened() {
      return widened;
    }

    private long bytes() {
      return changes.bytes() + widened.bytes();
    }

    private boolean isEmpty() {
      return changes.isEmpty() && widened.isNothing();
    }
  }

  private final int pageBytes;
  private final ArrayDeque<Page> cut = new ArrayDeque<>();
  private Page tail = new Page(1);
  private long cutBytes;
  private long confirmed;
  private long lastSet;
  private long lastWidened;

  ChangeLog(int pageBytes) {
    this.pageBytes = pageBytes;
  }

  @Override
  public void segmentAdded(int segment, SizeClass sizeClass) {
    tail.changes.segmentAdded(segment, sizeClass);
    lastSet = tail.number;
    cutIfFull();
  }

  @Override
  public void bitSet(int segment, long position) {
    tail.changes.bitSet(segment, position);
    lastSet = tail.number;
    cutIfFull();
  }

  @Override
  public void elementSet(int segment, SizeClass sizeClass, long element, long slices) {
    tail.changes.elementSet(segment, sizeClass, element, slices);
    lastSet = tail.number;
    cutIfFull();
  }

  @Override
  public void bitCleared(int segment, long position) {
    tail.changes.bitCleared(segment, position);
    cutIfFull();
  }

  @Override
  public void segmentDropped(int segment) {
    tail.changes.segmentDropped(segment);
    cutIfFull();
  }

  /** Bounds have to take in these as well. */
  void widened(RegionBounds by) {
    tail.widened = tail.widened.union(by);
    lastSet = tail.number;
    lastWidened = tail.number;
    cutIfFull();
  }

  /** The page that has last widened bounds; 0 if none has. */
  long lastWidened() {
    return lastWidened;
  }

  /** The page that holds the last change that must not be missing at the master; 0 if none. */
  long lastSet() {
    return lastSet;
  }

  /** Whether there is a change that must not be missing and is not confirmed yet. */
  boolean hasUnconfirmedSet() {
    return lastSet > confirmed;
  }

  /** Whether a page has been filled and cut and is not confirmed yet. */
  boolean hasCutPage() {
    return !cut.isEmpty();
  }

  /** Whether nobody waits for a page, and nothing should be sent before the next beat. */
  boolean isQuiet() {
    return !tail.awaited && cut.isEmpty() && !hasUnconfirmedSet();
  }

  /** Bytes of the changes that are not confirmed yet. */
  long bytes() {
    return cutBytes + tail.bytes();
  }

  /** Ends the page that is being written and returns all unconfirmed ones, oldest first. */
  Iterable<Page> cutAll() {
    if (!tail.isEmpty()) {
      cutTail();
    }
    return List.copyOf(cut);
  }

  /** Drops the pages up to the given one. */
  void confirm(long page) {
    while (!cut.isEmpty() && cut.peekFirst().number <= page) {
      cutBytes -= cut.removeFirst().bytes();
    }
    confirmed = Math.max(confirmed, page);
  }

  /** Forgets all changes: none of them is sent any more. */
  void clear() {
    cut.clear();
    cutBytes = 0;
    tail = new Page(tail.number + 1);
    lastSet = 0;
    lastWidened = 0;
  }

  /** Notes that a write waits, since the given moment, for a page. */
  void await(long number, long since) {
    Page page = pageOf(number);
    if (page != null && !(page.awaited && page.awaitedSince - since <= 0)) {
      page.awaited = true;
      page.awaitedSince = since;
    }
  }

  /** The earlier of a moment and the one since which the longest waiting write has waited. */
  long earliestAwait(long moment) {
    long earliest = tail.awaited && tail.awaitedSince - moment < 0 ? tail.awaitedSince : moment;
    for (Page page : cut) {
      if (page.awaited && page.awaitedSince - earliest < 0) {
        earliest = page.awaitedSince;
      }
    }
    return earliest;
  }

  private Page pageOf(long number) {
    if (number == tail.number) {
      return tail;
    }
    for (Page page : cut) {
      if (page.number == number) {
        return page;
      }
    }
    return null;
  }

  private void cutIfFull() {
    if (tail.bytes() >= pageBytes) {
      cutTail();
    }
  }

  private void cutTail() {
    cut.addLast(tail);
    cutBytes += tail.bytes();
    tail = new Page(tail.number + 1);
  }
}
