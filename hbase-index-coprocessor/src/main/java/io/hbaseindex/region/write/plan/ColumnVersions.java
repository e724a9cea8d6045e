/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingCertainty;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Everything stored for one column of one row, and what it can show.
 *
 * <p>A value counts as <em>showable</em> if readers see it now or could see it later without
 * another write (rule P3). Four habits of HBase decide:
 *
 * <ul>
 *   <li>A delete marker hides every put of sufficient timestamp, even one written later; when a
 *       major compaction drops the marker, such a put appears out of nothing. A put that a marker
 *       written with or after it hides is gone for good, unless one of the two has a visibility
 *       label.
 *   <li>Flushes and compactions keep so many versions of what <em>they</em> rewrite, and do not see
 *       markers that lie elsewhere. So a visible put may be dropped in favour of a hidden one above
 *       it, and a put below it, in yet another file, comes into view, or nothing does. With the
 *       puts beyond that number they drop the markers of the column that lie below, also those
 *       whose puts are in another file: such a marker hides nothing for good.
 *   <li>Of two puts with one timestamp the later one shows, until it is dropped like that.
 *   <li>A put with a time to live of its own is skipped when that is over, and the put below it
 *       shows again. The index refuses such writes (rule P6), but they may have been stored before
 *       there was an index, or bulk loaded.
 * </ul>
 *
 * <p>Hence, from the newest put down: hidden puts are showable unless gone for good, and so are
 * mortal ones, which count as hidden whether their time is over or not; the first visible put that
 * stays ends the search if fewer puts than the family keeps lie above it; otherwise everything
 * below is showable as well. Puts that have outlived the family's TTL show no more.
 */
@InterfaceAudience.Private
public final class ColumnVersions {
  private static final Comparator<Version> NEWEST_FIRST =
      (left, right) ->
          left.timestamp() == right.timestamp()
              ? Long.compare(right.sequence(), left.sequence())
              : Long.compare(right.timestamp(), left.timestamp());

  private final List<Version> puts;
  private final List<Version> markers;

  ColumnVersions() {
    this(new ArrayList<>(1), new ArrayList<>(0));
  }

  private ColumnVersions(List<Version> puts, List<Version> markers) {
    this.puts = puts;
    this.markers = markers;
  }

  ColumnVersions copy() {
    return new ColumnVersions(new ArrayList<>(puts), new ArrayList<>(markers));
  }

  void add(Version version) {
    List<Version> alike = version.isPut() ? puts : markers;
    if (version.sequence() == Version.AT_HAND) {
      // Within one batch HBase keeps the last cell of a column, kind and timestamp only, whatever
      // its label.
      alike.removeIf(
          other ->
              other.sequence() == Version.AT_HAND
                  && other.kind() == version.kind()
                  && other.timestamp() == version.timestamp());
    }
    alike.add(version);
  }

  boolean isEmpty() {
    return puts.isEmpty();
  }

  /** The timestamp of the newest put, of which there is one. */
  long newestTimestamp() {
    return newest().timestamp();
  }

  /**
   * Whether nothing but the newest put and the markers above it decides what the column shows: it
   * stays and no marker hides it, so it shows, or nothing does because it has outlived the family's
   * TTL, and with it all below.
   */
  boolean isDecidedByNewest() {
    return puts.isEmpty() || stays(newest());
  }

  /**
   * What this column can show.
   *
   * @param oldestUnexpired puts with a timestamp below this have outlived the family's TTL
   * @param maxVersions how many versions the family keeps
   */
  public ShowableValues showable(long oldestUnexpired, int maxVersions) {
    if (puts.isEmpty()) {
      return ShowableValues.NONE;
    }
    Version newest = newest();
    if (stays(newest)) {
      return newest.timestamp() < oldestUnexpired
          ? ShowableValues.NONE
          : new ShowableValues(newest.value(), List.of(), false);
    }
    List<byte[]> hidden = new ArrayList<>(0);
    byte[] visible = null;
    boolean canVanish = false;
    int above = 0;
    long timestampAbove = Long.MIN_VALUE;
    long lastingFrom = lastingFrom(maxVersions);
    for (Version put : newestFirst()) {
      if (put.timestamp() < oldestUnexpired) {
        break;
      }
      if (!isRemoved(put, marker -> isLasting(marker, lastingFrom))) {
        boolean shows = visible == null && stays(put);
        if (shows) {
          visible = put.value();
          if (above < maxVersions) {
            break;
          }
          canVanish = true;
        } else {
          hidden.add(put.value());
        }
      }
      // Versions count by timestamp.
      above += put.timestamp() == timestampAbove ? 0 : 1;
      timestampAbove = put.timestamp();
    }
    return new ShowableValues(visible, hidden, canVanish);
  }

  /**
   * The put that shows for certain: from now on, until something is written or its time is over.
   * Nothing lies above it, so no flush or compaction drops it in favour of another; no marker hides
   * it, and none is there whose going could show something else in its place. Empty if there is no
   * such put, or if which of two puts of one timestamp was written later can no longer be told.
   */
  private Optional<Version> certainlyShown() {
    if (puts.isEmpty()) {
      return Optional.empty();
    }
    Version newest = newest();
    for (Version put : puts) {
      boolean twin =
          put != newest
              && put.timestamp() == newest.timestamp()
              && put.sequence() == newest.sequence();
      if (twin) {
        return Optional.empty();
      }
    }
    return stays(newest) ? Optional.of(newest) : Optional.empty();
  }

  /**
   * Up to which time the column shows for certain what it shows now, be it a value or nothing;
   * {@link PostingCertainty#NEVER} if the row has to be asked.
   *
   * @param type of the column in the index whose postings say it
   */
  long certainUntil(Retention retention, ValueType type, long now) {
    long oldestUnexpired = retention.oldestUnexpired(now);
    if (showable(oldestUnexpired, retention.maxVersions()).values().isEmpty()) {
      return PostingCertainty.UNTIL_WRITTEN;
    }
    return certainUntil(retention, value -> IndexRowKeys.holdWhole(type, value));
  }

  /**
   * Up to which time the column shows a value for certain, and one that is good; {@link
   * PostingCertainty#NEVER} if the row has to be asked.
   */
  long certainUntil(Retention retention, Predicate<byte[]> good) {
    return certainlyShown()
        .filter(put -> good.test(put.value()))
        .map(put -> retention.certainUntil(put.timestamp()))
        .orElse(PostingCertainty.NEVER);
  }

  /**
   * What a column shows for certain.
   *
   * @param put null if it shows nothing
   * @param until up to which time, unless something is written
   */
  record CertainCell(Version put, long until) {
    static final CertainCell NOTHING = new CertainCell(null, PostingCertainty.UNTIL_WRITTEN);
  }

  /**
   * The cell that the column shows for certain, or that it shows none; empty if the row has to be
   * asked, as for cells with tags, which not everybody may see.
   *
   * <p>What has expired just now may still show on a server whose clock is behind, so it is neither
   * there nor gone. Nor is what a marker hides in a family whose cells expire: the marker does,
   * too.
   */
  Optional<CertainCell> certainCell(Retention retention, long now) {
    long longExpired = retention.oldestUnexpired(now - Retention.CLOCK_DIFFERENCE_MILLIS);
    boolean nothing =
        retention.expires()
            ? puts.stream().allMatch(put -> put.timestamp() < longExpired)
            : showable(longExpired, retention.maxVersions()).values().isEmpty();
    if (nothing) {
      return Optional.of(CertainCell.NOTHING);
    }
    return certainlyShown()
        .filter(put -> !put.tagged())
        .map(put -> new CertainCell(put, retention.certainUntil(put.timestamp())));
  }

  /** Whether there is a value that can show and does not, or that can cease to show. */
  boolean hidesValues(long oldestUnexpired, int maxVersions) {
    ShowableValues showable = showable(oldestUnexpired, maxVersions);
    return showable.canVanish() || !showable.hidden().isEmpty();
  }

  /**
   * Every value that is stored and not gone for good, however many puts there will be above it;
   * whether it can come into view or not.
   */
  ShowableValues stored(long oldestUnexpired) {
    List<byte[]> values = new ArrayList<>(puts.size());
    for (Version put : puts) {
      if (put.timestamp() >= oldestUnexpired
          && !isRemoved(put, marker -> marker.kind().isFamilyWide())) {
        values.add(put.value());
      }
    }
    return new ShowableValues(null, values, false);
  }

  /** Whether a put, if it is the newest, shows until something is written. */
  private boolean stays(Version put) {
    return !put.mortal() && !isMasked(put);
  }

  /** What shows as long as nothing hides it. */
  private Version newest() {
    Version newest = puts.get(0);
    for (int i = 1; i < puts.size(); i++) {
      if (NEWEST_FIRST.compare(puts.get(i), newest) < 0) {
        newest = puts.get(i);
      }
    }
    return newest;
  }

  private List<Version> newestFirst() {
    if (puts.size() == 1) {
      return puts;
    }
    List<Version> ordered = new ArrayList<>(puts);
    ordered.sort(NEWEST_FIRST);
    return ordered;
  }

  private boolean isRemoved(Version put, Predicate<Version> lasting) {
    for (Version marker : markers) {
      if (marker.removes(put) && lasting.test(marker)) {
        return true;
      }
    }
    return false;
  }

  /** Whether no flush or compaction drops a marker because of the puts above it. */
  private static boolean isLasting(Version marker, long lastingFrom) {
    return marker.kind().isFamilyWide() || marker.timestamp() >= lastingFrom;
  }

  /** The lowest timestamp above which there are no more puts than are kept. */
  private long lastingFrom(int maxVersions) {
    return puts.stream()
        .map(Version::timestamp)
        .distinct()
        .sorted(Comparator.reverseOrder())
        .skip(maxVersions)
        .findFirst()
        .orElse(Long.MIN_VALUE);
  }

  private boolean isMasked(Version put) {
    for (Version marker : markers) {
      if (marker.masks(put)) {
        return true;
      }
    }
    return false;
  }
}
