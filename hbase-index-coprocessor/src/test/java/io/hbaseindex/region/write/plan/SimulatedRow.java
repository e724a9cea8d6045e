/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One row of one HBase family, played: a memstore, files, and what readers see. Written from
 * HBase's behaviour alone, without a look at the code under test. Columns are numbers; a
 * family-wide marker has column {@link #WHOLE_FAMILY}.
 */
final class SimulatedRow {
  static final int WHOLE_FAMILY = -1;

  /**
   * @param order when it was written; what a compaction may erase is {@code sequence}, not this
   * @param label its visibility expression; null for none
   */
  record SimCell(
      int column,
      Version.Kind kind,
      long timestamp,
      long sequence,
      long order,
      String label,
      String value) {
    boolean isPut() {
      return kind == Version.Kind.PUT;
    }

    boolean hides(SimCell put) {
      if (column != WHOLE_FAMILY && column != put.column || !Objects.equals(label, put.label)) {
        return false;
      }
      return switch (kind) {
        case PUT -> false;
        case DELETE_VERSION, DELETE_FAMILY_VERSION -> timestamp == put.timestamp;
        case DELETE_COLUMN, DELETE_FAMILY -> timestamp >= put.timestamp;
      };
    }
  }

  private static final Comparator<SimCell> READ_ORDER =
      Comparator.comparingInt(SimCell::column)
          .thenComparing(Comparator.comparingLong(SimCell::timestamp).reversed())
          .thenComparing(Comparator.comparing(SimCell::kind).reversed())
          .thenComparing(Comparator.comparingLong(SimCell::order).reversed());

  private final int maxVersions;
  private final long timeToLive;
  private List<SimCell> memstore = new ArrayList<>();
  private final List<List<SimCell>> files = new ArrayList<>();
  private long nextSequence = 1;
  private long nextOrder = 1;

  SimulatedRow(Retention retention) {
    this.maxVersions = retention.maxVersions();
    this.timeToLive = retention.timeToLiveMillis();
  }

  /** Writes a batch: one sequence id for all; an equal cell of the same batch is replaced. */
  void write(List<SimCell> batch) {
    long sequence = nextSequence++;
    for (SimCell cell : batch) {
      memstore.removeIf(
          other ->
              other.sequence == sequence
                  && other.column == cell.column
                  && other.kind == cell.kind
                  && other.timestamp == cell.timestamp);
      memstore.add(
          new SimCell(
              cell.column,
              cell.kind,
              cell.timestamp,
              sequence,
              nextOrder++,
              cell.label,
              cell.value));
    }
  }

  /** Writes the memstore to a file, markers included. */
  void flush(long now) {
    if (!memstore.isEmpty()) {
      files.add(rewrite(memstore, false, now));
      memstore = new ArrayList<>();
    }
  }

  /** Rewrites some neighbouring files, markers included. */
  void compactSome(Random random, long now) {
    if (files.size() < 2) {
      return;
    }
    int from = random.nextInt(files.size() - 1);
    int to = from + 2 + random.nextInt(files.size() - from - 1);
    boolean all = to - from == files.size();
    List<SimCell> merged = files.subList(from, to).stream().flatMap(List::stream).toList();
    files.subList(from, to).clear();
    files.add(from, eraseSequences(rewrite(merged, all, now), random));
  }

  /** Rewrites all files and drops the markers, whatever the memstore holds. */
  void compactAll(Random random, long now) {
    List<SimCell> merged = files.stream().flatMap(List::stream).toList();
    files.clear();
    if (!merged.isEmpty()) {
      files.add(eraseSequences(rewrite(merged, true, now), random));
    }
  }

  private static List<SimCell> eraseSequences(List<SimCell> cells, Random random) {
    if (random.nextInt(3) > 0) {
      return cells;
    }
    return cells.stream()
        .map(c -> new SimCell(c.column, c.kind, c.timestamp, 0, c.order, c.label, c.value))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private List<SimCell> rewrite(List<SimCell> cells, boolean dropMarkers, long now) {
    List<SimCell> kept = new ArrayList<>();
    for (SimCell cell : cells) {
      if (!cell.isPut() && !dropMarkers && !isExpired(cell, now)) {
        kept.add(cell);
      }
    }
    Set<Integer> columns = cells.stream().map(SimCell::column).collect(Collectors.toSet());
    for (int column : columns) {
      List<SimCell> shown = shown(cells, column, now);
      if (shown.size() > maxVersions) {
        // The first put too many ends the column, and markers below it go unread.
        long last = shown.get(maxVersions).timestamp;
        kept.removeIf(marker -> marker.column == column && marker.timestamp < last);
      }
      kept.addAll(shown.stream().limit(maxVersions).toList());
    }
    return kept;
  }

  /** The puts of a column that readers of these cells could see, newest first. */
  private List<SimCell> shown(List<SimCell> cells, int column, long now) {
    List<SimCell> result = new ArrayList<>();
    Set<Long> timestamps = new HashSet<>();
    cells.stream()
        .filter(cell -> cell.isPut() && cell.column == column)
        .sorted(READ_ORDER)
        .filter(put -> cells.stream().noneMatch(marker -> marker.hides(put)))
        .filter(cell -> timestamps.add(cell.timestamp))
        .filter(put -> !isExpired(put, now))
        .forEach(result::add);
    return result;
  }

  private boolean isExpired(SimCell cell, long now) {
    return timeToLive != Long.MAX_VALUE && cell.timestamp < now - timeToLive;
  }

  /** What readers see in a column; null for nothing. */
  String visible(int column, long now) {
    List<SimCell> shown = shown(everything().toList(), column, now);
    return shown.isEmpty() ? null : shown.get(0).value;
  }

  /** The cell that readers see in a column, as {@link SimulatedIndex#carried} has it. */
  String visibleCell(int column, long now) {
    List<SimCell> shown = shown(everything().toList(), column, now);
    return shown.isEmpty() ? "(absent)" : shown.get(0).value + "@" + shown.get(0).timestamp;
  }

  /** Everything that is stored and has not expired. */
  List<SimCell> rawScan(long now) {
    return everything().sorted(READ_ORDER).filter(cell -> !isExpired(cell, now)).toList();
  }

  /** The newest put of each column and the markers above it, of memstore and files each. */
  List<SimCell> newestOfEach() {
    return Stream.concat(Stream.of(memstore), files.stream())
        .flatMap(cells -> newestOf(cells).stream())
        .toList();
  }

  private static List<SimCell> newestOf(List<SimCell> cells) {
    List<SimCell> newest = new ArrayList<>();
    Set<Integer> columnsDone = new HashSet<>();
    for (SimCell cell : cells.stream().sorted(READ_ORDER).toList()) {
      if (!columnsDone.contains(cell.column)) {
        newest.add(cell);
        if (cell.isPut()) {
          columnsDone.add(cell.column);
        }
      }
    }
    return newest;
  }

  private Stream<SimCell> everything() {
    return Stream.concat(memstore.stream(), files.stream().flatMap(List::stream));
  }
}
