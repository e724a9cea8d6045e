package io.hbaseindex.region.write;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Everything stored for one column of one row, and what it can show.
 *
 * <p>A value counts as <em>showable</em> if readers see it now or could see it later without
 * another write. HBase hides a put behind any delete marker of sufficient timestamp, even one
 * written earlier; when compaction drops such a marker, the put appears out of nothing (rule P3).
 * So the showable values are the visible one and, above its timestamp, every put that only earlier
 * markers hide. Expired puts show no more.
 */
final class ColumnVersions {
  private static final Comparator<Version> NEWEST_FIRST =
      Comparator.comparingLong(Version::timestamp).thenComparingLong(Version::sequence).reversed();

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
    if (!version.isPut()) {
      markers.add(version);
      return;
    }
    if (version.sequence() == Version.AT_HAND) {
      // Within one batch HBase keeps the last put of a column and timestamp only.
      puts.removeIf(
          put -> put.sequence() == Version.AT_HAND && put.timestamp() == version.timestamp());
    }
    puts.add(version);
  }

  boolean isEmpty() {
    return puts.isEmpty();
  }

  /**
   * What this column can show.
   *
   * @param oldestUnexpired puts with a timestamp below this have outlived the family's TTL
   */
  ShowableValues showable(long oldestUnexpired) {
    if (puts.isEmpty()) {
      return ShowableValues.NONE;
    }
    if (puts.size() == 1 && markers.isEmpty()) {
      Version put = puts.get(0);
      return put.timestamp() < oldestUnexpired
          ? ShowableValues.NONE
          : new ShowableValues(put.value(), List.of());
    }
    return search(oldestUnexpired);
  }

  private ShowableValues search(long oldestUnexpired) {
    List<Version> ordered = new ArrayList<>(puts);
    ordered.sort(NEWEST_FIRST);
    List<byte[]> masked = new ArrayList<>();
    Version above = null;
    for (Version put : ordered) {
      if (put.timestamp() < oldestUnexpired) {
        break;
      }
      boolean overwritten =
          above != null
              && above.timestamp() == put.timestamp()
              && above.sequence() != put.sequence();
      above = overwritten ? above : put;
      if (overwritten || isRemoved(put)) {
        continue;
      }
      if (!isMasked(put)) {
        return new ShowableValues(put.value(), masked);
      }
      masked.add(put.value());
    }
    return new ShowableValues(null, masked);
  }

  private boolean isRemoved(Version put) {
    for (Version marker : markers) {
      if (marker.removes(put)) {
        return true;
      }
    }
    return false;
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
