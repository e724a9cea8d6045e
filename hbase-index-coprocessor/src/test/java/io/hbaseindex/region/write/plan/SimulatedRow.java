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
   * @param order when it was written; a compaction may erase {@code sequence}, and this tells what
   *     HBase then has by the order of its files
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

    private SimCell erased() {
      return new SimCell(column, kind, timestamp, 0, order, label, value);
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
          .thenComparing(Comparator.comparingLong(SimCell::sequence).reversed())
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
  void flush(Random random, long now) {
    if (!memstore.isEmpty()) {
      files.add(rewrite(memstore, false, readPoint(random), now));
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
    compact(files.subList(from, to), to - from == files.size(), random, now);
  }

  /** Rewrites all files and drops the markers, whatever the memstore holds. */
  void compactAll(Random random, long now) {
    if (!files.isEmpty()) {
      compact(files, true, random, now);
    }
  }

  private void compact(List<List<SimCell>> inputs, boolean all, Random random, long now) {
    long readPoint = readPoint(random);
    List<SimCell> merged = inputs.stream().flatMap(List::stream).toList();
    List<SimCell> output = rewrite(merged, all, readPoint, now);
    inputs.clear();
    inputs.add(all ? eraseSequences(output, readPoint, random) : output);
  }

  /** What the oldest open scanner sees; it holds up little or nothing most of the time. */
  private long readPoint(Random random) {
    return random.nextInt(4) > 0 ? nextSequence : random.nextLong(nextSequence);
  }

  /**
   * What was written long ago loses its sequence, up to some moment, and in compactions of all
   * files only: so whatever is left keeps its order.
   */
  private List<SimCell> eraseSequences(List<SimCell> cells, long readPoint, Random random) {
    if (random.nextInt(3) > 0) {
      return cells;
    }
    long old = random.nextBoolean() ? nextSequence : random.nextLong(nextSequence);
    long upTo = Math.min(old, readPoint);
    return cells.stream().map(cell -> cell.sequence <= upTo ? cell.erased() : cell).toList();
  }

  /**
   * What a flush or compaction makes of cells. What the oldest scanner does not see yet, markers
   * too, counts for nothing and is kept, unless it lies below the first put too many.
   */
  private List<SimCell> rewrite(
      List<SimCell> cells, boolean dropMarkers, long readPoint, long now) {
    List<SimCell> kept = new ArrayList<>();
    List<SimCell> hiding = new ArrayList<>();
    for (SimCell cell : cells) {
      boolean seen = cell.sequence <= readPoint;
      if (!cell.isPut() && !isExpired(cell, now)) {
        if (!seen || !dropMarkers) {
          kept.add(cell);
        }
        if (seen) {
          hiding.add(cell);
        }
      }
    }
    Set<Integer> columns = cells.stream().map(SimCell::column).collect(Collectors.toSet());
    for (int column : columns) {
      Set<Long> versions = new HashSet<>();
      for (SimCell put : puts(cells, hiding, column, now)) {
        boolean seen = put.sequence <= readPoint;
        if (!seen || versions.add(put.timestamp)) {
          if (versions.size() > maxVersions) {
            // The first put too many ends the column, and what lies below it goes unread.
            kept.removeIf(marker -> marker.column == column && marker.timestamp < put.timestamp);
            break;
          }
          kept.add(put);
        }
      }
    }
    return kept;
  }

  /** The puts of a column that readers of these cells could see, newest first. */
  private List<SimCell> shown(List<SimCell> cells, int column, long now) {
    Set<Long> timestamps = new HashSet<>();
    return puts(cells, cells, column, now).stream()
        .filter(put -> timestamps.add(put.timestamp))
        .toList();
  }

  /** The puts of a column that none of these markers hides, newest first. */
  private List<SimCell> puts(List<SimCell> cells, List<SimCell> markers, int column, long now) {
    return cells.stream()
        .filter(cell -> cell.isPut() && cell.column == column)
        .sorted(READ_ORDER)
        .filter(put -> markers.stream().noneMatch(marker -> marker.hides(put)))
        .filter(put -> !isExpired(put, now))
        .toList();
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
