/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.OrderedVisits;
import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.common.query.RowOrder.Place;
import io.hbaseindex.core.route.RowRange;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A search for the next rows of a query with an order, in all regions.
 *
 * <p>Each region is asked for a few of its first rows. An answer says up to which place it is
 * complete. Rows up to the lowest such place are known to be the next ones. As long as those are
 * not enough, regions whose place is too low are asked again, for as many rows as are wanted in
 * all; no others. So what a region contributes is always one answer, which shows it at one moment.
 *
 * <p>Regions whose values do not reach so far are not asked at all, where the connection knows that
 * ({@link OrderedVisits}): at first as many as rows are wanted, those that may reach farthest; then
 * those that may have a row before the last one found. So rows that are left out come behind all
 * that are given.
 *
 * <p>Keeps about twice the rows that are wanted.
 *
 * <p>Knows nothing of connections: whoever runs the scans hands over their results. Not
 * thread-safe, but for the asks of one round, which may be answered at once.
 */
final class OrderedWindow {
  /** Of so many rows one is asked for at first: regions mostly share the first rows. */
  private static final int ROWS_PER_FIRST = 8;

  private static final int FEW = 4;

  private final IndexQuery query;
  private final RowOrder order;
  private final int wanted;
  private final int rows;
  private final Optional<Place> after;
  private final List<Answer> answers = new ArrayList<>();

  /** Key ranges that were visited, as long as others are left out. */
  private final List<RowRange> visited = new ArrayList<>();

  /** Whether regions are left out that may have rows behind {@link #searched}. */
  private boolean leavesOut;

  /** Up to this place all regions were asked that may have rows; null if that is not known. */
  private Place searched;

  private List<Ask> asking = List.of();
  private boolean begun;
  private List<Found> found = List.of();
  private boolean last;

  private record Found(Place place, Result row) {}

  /** What one region says. */
  private record Answer(OrderedRows.Mark mark, int asked, List<Found> rows) {
    /** Whether rows that it does not tell may come before a place. */
    boolean isShortOf(Place place, RowOrder order) {
      return mark.complete().isPresent() && order.compare(mark.complete().get(), place) < 0;
    }

    boolean isOfTheSameKeysAs(Answer other) {
      return Arrays.equals(mark.first(), other.mark.first())
          && Arrays.equals(mark.end(), other.mark.end());
    }

    /** Whether to ask again would help: not if the rows were too large to be told at once. */
    boolean canBeLonger(int wanted) {
      return asked < wanted && rows.size() >= asked;
    }

    /** The same without rows behind a place, and complete that far only. */
    Answer upTo(Place place, RowOrder order) {
      List<Found> kept =
          rows.stream().filter(row -> order.compare(row.place(), place) <= 0).toList();
      return kept.size() == rows.size()
          ? this
          : new Answer(
              new OrderedRows.Mark(mark.first(), mark.end(), Optional.of(place)), asked, kept);
    }
  }

  /** A scan that is to be run, and whose results are to be taken. */
  static final class Ask {
    private final IndexQuery query;
    private final Scan scan;
    private final int asked;
    private final int wanted;

    /** Whether regions may be left out. */
    private final boolean visits;

    private final List<Answer> answers = new ArrayList<>();
    private Optional<List<RowRange>> visited = Optional.empty();

    private Ask(IndexQuery query, Scan scan, int asked, int wanted, boolean visits) {
      this.visits = visits;
      this.query = query;
      this.scan = scan;
      this.asked = asked;
      this.wanted = wanted;
    }

    Scan scan() {
      return scan;
    }

    /**
     * Takes a result of the scan.
     *
     * @return true: all are wanted
     * @throws UncheckedIOException if the server does not know such scans, or others than these
     */
    boolean take(Result result) {
      Optional<List<RowRange>> told = OrderedVisits.visited(result);
      if (told.isPresent()) {
        visited = told;
        return true;
      }
      OrderedRows.Marked marked = read(result).filter(this::isInPlace).orElseThrow(this::unordered);
      RowOrder order = query.order().orElseThrow();
      if (marked.begins().isPresent()) {
        forgetUnneeded(order);
        answers.add(new Answer(marked.begins().get(), asked, new ArrayList<>()));
      }
      byte[] value = marked.row().getValue(order.column().family(), order.column().qualifier());
      answers
          .get(answers.size() - 1)
          .rows()
          .add(new Found(new Place(value, marked.row().getRow()), marked.row()));
      return true;
    }

    private static Optional<OrderedRows.Marked> read(Result result) {
      try {
        return OrderedRows.read(result);
      } catch (DoNotRetryIOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Keeps no more than twice the rows that are wanted. */
    private void forgetUnneeded(RowOrder order) {
      List<Place> places =
          answers.stream().flatMap(answer -> answer.rows().stream()).map(Found::place).toList();
      if (places.size() > 2 * wanted) {
        Place last = places.stream().sorted(order).skip(wanted - 1).findFirst().orElseThrow();
        answers.replaceAll(answer -> answer.upTo(last, order));
      }
    }

    private boolean isInPlace(OrderedRows.Marked marked) {
      return marked.begins().isPresent() || !answers.isEmpty();
    }

    private UncheckedIOException unordered() {
      return new UncheckedIOException(
          new DoNotRetryIOException(
              "Cannot give rows in the order of %s: a region of table %s did not order its rows; create an index on the table, and have all servers on one version"
                  .formatted(query.order().orElseThrow().column(), query.table())));
    }
  }

  /**
   * @param wanted how many rows of the query are still wanted; {@link IndexQuery#UNLIMITED} for all
   * @param after the place behind which to go on; empty to begin
   */
  OrderedWindow(IndexQuery query, int wanted, Optional<Place> after) {
    this.query = query;
    this.order = query.order().orElseThrow();
    this.wanted = wanted;
    this.rows = IndexQuery.windowOf(wanted);
    this.after = after;
  }

  /** The first rows of a query. */
  static OrderedWindow first(IndexQuery query) {
    return new OrderedWindow(query, query.limit(), Optional.empty());
  }

  TableName table() {
    return query.table();
  }

  /** What is to be asked next, once all before has been answered; nothing if the rows are found. */
  List<Ask> next() {
    if (!begun) {
      begun = true;
      asking = List.of(visiting(Optional.empty()));
      return asking;
    }
    asking.forEach(this::take);
    List<Found> merged = merged();
    List<Answer> again = tooShort(merged);
    answers.removeAll(again);
    asking = asksFor(again);
    if (asking.isEmpty() && leavesOut && !isSearched(merged)) {
      Optional<Place> upTo =
          merged.size() < rows ? Optional.empty() : Optional.of(merged.get(rows - 1).place());
      searched = upTo.orElse(null);
      asking = List.of(visiting(upTo));
    }
    if (!asking.isEmpty()) {
      return asking;
    }
    end(merged);
    // Regions moved while they were asked, and the rows that they told with them.
    boolean inVain = found.isEmpty() && !last;
    if (inVain) {
      answers.clear();
      visited.clear();
      leavesOut = false;
      searched = null;
      begun = false;
    }
    return inVain ? next() : asking;
  }

  private void take(Ask ask) {
    ask.answers.forEach(answer -> answers.removeIf(answer::isOfTheSameKeysAs));
    answers.addAll(ask.answers);
    if (ask.visits) {
      leavesOut = ask.visited.isPresent();
      ask.visited.ifPresent(visited::addAll);
    }
  }

  /** Whether the rows wanted come before all that regions may have which were left out. */
  private boolean isSearched(List<Found> merged) {
    return searched != null
        && merged.size() >= rows
        && order.compare(merged.get(rows - 1).place(), searched) <= 0;
  }

  /**
   * Asks regions that were not asked before: those that may have rows up to a place; without one,
   * first those that may have the very first rows, and then all.
   */
  private Ask visiting(Optional<Place> upTo) {
    Scan scan = firstScan();
    int first = leavesOut ? Integer.MAX_VALUE : rows;
    OrderedVisits.askFor(scan, new OrderedVisits.Request(first, upTo, List.copyOf(visited)));
    return new Ask(query, scan, few(), rows, true);
  }

  /** The answers that have to be longer, by rising keys. */
  private List<Answer> tooShort(List<Found> merged) {
    Optional<Answer> shortest =
        answers.stream()
            .filter(answer -> answer.mark().complete().isPresent())
            .min(Comparator.comparing(answer -> answer.mark().complete().get(), order));
    if (shortest.isEmpty() || !shortest.get().canBeLonger(rows)) {
      return List.of();
    }
    if (merged.size() < rows) {
      // Its further rows may be all that is missing.
      return List.of(shortest.get());
    }
    Place needed = merged.get(rows - 1).place();
    return answers.stream()
        .filter(answer -> answer.canBeLonger(rows) && answer.isShortOf(needed, order))
        .sorted(Comparator.comparing(answer -> answer.mark().first(), Bytes.BYTES_COMPARATOR))
        .toList();
  }

  private int few() {
    return Math.min(rows, Math.max(FEW, rows / ROWS_PER_FIRST));
  }

  /** The scan that the search begins with. */
  Scan firstScan() {
    return query.toOrderedScan(few(), after);
  }

  /** All rows that were told, in order; of a row that was told twice the later one. */
  private List<Found> merged() {
    Map<ByteBuffer, Found> byKey = new LinkedHashMap<>();
    for (Answer answer : answers) {
      answer.rows().forEach(row -> byKey.put(ByteBuffer.wrap(row.place().row()), row));
    }
    return byKey.values().stream().sorted(Comparator.comparing(Found::place, order)).toList();
  }

  /** Neighbours are asked by one scan, which a routed connection reads in parts at once. */
  private List<Ask> asksFor(List<Answer> again) {
    List<Ask> asks = new ArrayList<>();
    Scan latest = null;
    for (Answer answer : again) {
      OrderedRows.Mark mark = answer.mark();
      if (latest != null
          && latest.getStopRow().length > 0
          && Arrays.equals(latest.getStopRow(), mark.first())) {
        latest.withStopRow(mark.end());
      } else {
        latest =
            query.toOrderedScan(rows, after).withStartRow(mark.first()).withStopRow(mark.end());
        asks.add(new Ask(query, latest, rows, rows, false));
      }
    }
    return asks;
  }

  private void end(List<Found> merged) {
    Optional<Place> complete =
        answers.stream().flatMap(answer -> answer.mark().complete().stream()).min(order);
    found =
        merged.stream()
            .filter(row -> complete.isEmpty() || order.compare(row.place(), complete.get()) <= 0)
            .limit(rows)
            .toList();
    last = complete.isEmpty() && merged.size() <= rows && !leavesOut;
  }

  /** The rows, once there is nothing more to ask. */
  List<FoundRow> found() {
    return found.stream().map(row -> FoundRow.of(row.row(), query)).toList();
  }

  /** The rows as HBase gives them. */
  List<Result> results() {
    return found.stream().map(Found::row).toList();
  }

  /** Whether no row can follow. */
  boolean isLast() {
    return last;
  }

  /** Where the last row stands; there is one unless no row can follow. */
  Place lastPlace() {
    return found.get(found.size() - 1).place();
  }

  /** The same search, not begun. */
  OrderedWindow anew() {
    return new OrderedWindow(query, wanted, after);
  }

  /** The search for the rows behind these; empty if no more are there, or wanted. */
  Optional<OrderedWindow> following() {
    int left = wanted == IndexQuery.UNLIMITED ? wanted : wanted - found.size();
    boolean ended = last || wanted != IndexQuery.UNLIMITED && left == 0;
    return ended
        ? Optional.empty()
        : Optional.of(new OrderedWindow(query, left, Optional.of(lastPlace())));
  }
}
