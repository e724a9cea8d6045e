/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.client.routing.scan.OrderedParts;
import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.common.query.RowOrder.Place;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.route.ValuePrefixes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class OrderedWindowTest {
  private static final ColumnRef AGE = ColumnRef.of("f", "age");
  private static final IndexQuery QUERY =
      IndexQuery.from("t").where(Column.of("f", "age").isPresent()).orderBy("f", "age");

  /** Values by row, and where the regions begin. */
  private final TreeMap<String, String> rows = new TreeMap<>();

  private List<String> regions = List.of("");

  /** Which regions were asked, and for how many rows. */
  private final List<String> asked = new ArrayList<>();

  /** How many rows a region tells at once. */
  private int atOnce = Integer.MAX_VALUE;

  private List<String> read(IndexQuery query) {
    List<String> found = new ArrayList<>();
    Optional<OrderedWindow> next = Optional.of(OrderedWindow.first(query));
    while (next.isPresent()) {
      OrderedWindow window = next.get();
      for (var asks = window.next(); !asks.isEmpty(); asks = window.next()) {
        asks.forEach(this::answer);
      }
      window.found().forEach(row -> found.add(row.keyText()));
      next = window.following();
    }
    return found;
  }

  /** Of so many hundredths of the regions it is known how far they reach; of none by default. */
  private int knownEdges;

  private final SplittableRandom knowing = new SplittableRandom(11);

  private void answer(OrderedWindow.Ask ask) {
    if (knownEdges == 0) {
      answerAll(ask, ask.scan());
      return;
    }
    RowOrder order = OrderedRows.in(ask.scan()).orElseThrow().order();
    Optional<OrderedParts> visits = OrderedParts.takenOff(ask.scan());
    if (visits.isEmpty()) {
      answerAll(ask, ask.scan());
      return;
    }
    List<RegionEdge> edges = new ArrayList<>();
    List<RouteAnswer.Candidate> all = new ArrayList<>();
    for (int i = 0; i < regions.size(); i++) {
      String end = i + 1 < regions.size() ? regions.get(i + 1) : "";
      RowRange range = new RowRange(Bytes.toBytes(regions.get(i)), Bytes.toBytes(end));
      all.add(new RouteAnswer.Candidate(range, "server", null));
      if (knowing.nextInt(100) < knownEdges) {
        edges.add(edge(range, order.descending()));
      }
    }
    visits.get().edges(edges);
    RoutePlan plan =
        visits
            .get()
            .narrow(
                RoutePlans.routed(
                    QUERY.table(), new RouteAnswer(all, 0, all.size(), 0), 0, List.of()));
    for (RowRange range : plan.ranges()) {
      answerAll(ask, within(ask.scan(), range));
    }
    visits.get().told().ifPresent(ask::take);
  }

  private static Scan within(Scan scan, RowRange range) {
    try {
      return new Scan(scan).withStartRow(range.start()).withStopRow(range.end());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Never narrower than the values, and wider now and then. */
  private RegionEdge edge(RowRange range, boolean largest) {
    ValuePrefixes values =
        ValuePrefixes.whole(
            rows.entrySet().stream()
                .filter(row -> range.contains(Bytes.toBytes(row.getKey())))
                .map(row -> IndexRowKeys.encoded(Bytes.toBytes(row.getValue())))
                .toList());
    return new RegionEdge(
        range,
        values
            .edge(largest)
            .map(
                edge ->
                    Arrays.copyOf(edge, knowing.nextInt(4) > 0 ? edge.length : edge.length / 2)));
  }

  private void answerAll(OrderedWindow.Ask ask, Scan scan) {
    OrderedRows.Request request = OrderedRows.in(scan).orElseThrow();
    String from = Bytes.toString(scan.getStartRow());
    String to = Bytes.toString(scan.getStopRow());
    for (int i = 0; i < regions.size(); i++) {
      String start = regions.get(i);
      String end = i + 1 < regions.size() ? regions.get(i + 1) : "";
      boolean overlaps =
          (to.isEmpty() || start.compareTo(to) < 0) && (end.isEmpty() || from.compareTo(end) < 0);
      if (overlaps) {
        asked.add(start + ":" + request.rows());
        answer(ask, request, start, end);
      }
    }
  }

  private void answer(
      OrderedWindow.Ask ask, OrderedRows.Request request, String start, String end) {
    List<Place> all =
        new ArrayList<>(
            rows.entrySet().stream()
                .filter(row -> row.getKey().compareTo(start) >= 0)
                .filter(row -> end.isEmpty() || row.getKey().compareTo(end) < 0)
                .map(OrderedWindowTest::place)
                .filter(
                    p -> request.after().stream().allMatch(a -> request.order().compare(p, a) > 0))
                .sorted(request.order())
                .toList());
    List<Place> told = all.subList(0, Math.min(all.size(), Math.min(atOnce, request.rows())));
    Optional<Place> complete =
        told.size() < all.size() ? Optional.of(told.get(told.size() - 1)) : Optional.empty();
    OrderedRows.Mark mark =
        new OrderedRows.Mark(Bytes.toBytes(start), Bytes.toBytes(end), complete);
    boolean first = true;
    for (Place place :
        told.stream().sorted(Comparator.comparing(Place::row, Arrays::compareUnsigned)).toList()) {
      Cell value = new KeyValue(place.row(), AGE.family(), AGE.qualifier(), place.value());
      Cell marked =
          first ? OrderedRows.first(place.row(), mark) : OrderedRows.following(place.row());
      ask.take(Result.create(List.of(marked, value)));
      first = false;
    }
  }

  private static Place place(Map.Entry<String, String> row) {
    return new Place(Bytes.toBytes(row.getValue()), Bytes.toBytes(row.getKey()));
  }

  private List<String> expected(RowOrder order, int limit) {
    return rows.entrySet().stream()
        .map(OrderedWindowTest::place)
        .sorted(order)
        .limit(limit)
        .map(place -> Bytes.toString(place.row()))
        .toList();
  }

  @Test
  void randomRegionsAndLimits_areMergedAsSorted() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 300; round++) {
      rows.clear();
      int size = random.nextInt(1, 400);
      for (int i = 0; i < size; i++) {
        rows.put(key(random.nextInt(1_000)), "v" + random.nextInt(1 + random.nextInt(300)));
      }
      regions =
          new ArrayList<>(
              random
                  .ints(random.nextInt(12), 1, 1_000)
                  .distinct()
                  .sorted()
                  .mapToObj(i -> key(i))
                  .toList());
      regions.add(0, "");
      atOnce = random.nextInt(3) == 0 ? random.nextInt(1, 6) : Integer.MAX_VALUE;
      boolean descending = random.nextBoolean();
      IndexQuery query = descending ? QUERY.descending() : QUERY;
      RowOrder order = new RowOrder(AGE, descending);
      int limit = random.nextInt(1, 60);

      assertThat(read(query.limit(limit))).isEqualTo(expected(order, limit));
      assertThat(read(query)).isEqualTo(expected(order, Integer.MAX_VALUE));
    }
  }

  @Test
  void randomRegionsWhoseEdgesAreKnown_areMergedAsSorted() {
    SplittableRandom random = new SplittableRandom(17);
    int leftOut = 0;
    for (int round = 0; round < 500; round++) {
      rows.clear();
      int size = random.nextInt(1, 400);
      for (int i = 0; i < size; i++) {
        rows.put(key(random.nextInt(1_000)), "v" + random.nextInt(1 + random.nextInt(3_000)));
      }
      regions =
          new ArrayList<>(
              random
                  .ints(random.nextInt(40), 1, 1_000)
                  .distinct()
                  .sorted()
                  .mapToObj(i -> key(i))
                  .toList());
      regions.add(0, "");
      knownEdges = random.nextInt(1, 101);
      atOnce = random.nextInt(3) == 0 ? random.nextInt(1, 6) : Integer.MAX_VALUE;
      boolean descending = random.nextBoolean();
      IndexQuery query = descending ? QUERY.descending() : QUERY;
      RowOrder order = new RowOrder(AGE, descending);
      int limit = random.nextInt(1, 20);

      asked.clear();
      assertThat(read(query.limit(limit))).isEqualTo(expected(order, limit));
      leftOut += asked.size() < regions.size() ? 1 : 0;
      assertThat(read(query)).isEqualTo(expected(order, Integer.MAX_VALUE));
    }
    assertThat(leftOut).isGreaterThan(50);
  }

  @Test
  void regionsWhoseValuesDoNotReachSoFar_areNotAskedAtAll() {
    SplittableRandom random = new SplittableRandom(3);
    regions = new ArrayList<>(List.of(""));
    for (int i = 0; i < 1_000; i++) {
      rows.put(key(i), "v%06d".formatted(random.nextInt(1_000_000)));
      if (i > 0 && i % 10 == 0) {
        regions.add(key(i));
      }
    }
    knownEdges = 100;

    assertThat(read(QUERY.limit(5))).isEqualTo(expected(new RowOrder(AGE, false), 5));
    assertThat(asked).hasSizeLessThan(12);
    asked.clear();
    assertThat(read(QUERY.descending().limit(5))).isEqualTo(expected(new RowOrder(AGE, true), 5));
    assertThat(asked).hasSizeLessThan(12);
  }

  @Test
  void regionsThatCannotContribute_areNotAskedAgain() {
    regions = List.of("", "k100", "k200", "k300");
    for (int i = 0; i < 400; i++) {
      // All low values are in the third region.
      rows.put(key(i), (i / 100 == 2 ? "a" : "b") + key(i));
    }

    assertThat(read(QUERY.limit(40))).isEqualTo(expected(new RowOrder(AGE, false), 40));

    assertThat(asked).containsExactly(":5", "k100:5", "k200:5", "k300:5", "k200:40");
  }

  @Test
  void neighboursThatAreAskedAgain_areAskedByOneScan() {
    regions = List.of("", "k100", "k200", "k300");
    for (int i = 0; i < 400; i++) {
      rows.put(key(i), (i / 100 == 3 ? "b" : "a") + "%03d".formatted(i % 100));
    }
    OrderedWindow window = OrderedWindow.first(QUERY.limit(13));
    window.next().forEach(this::answer);
    List<OrderedWindow.Ask> again = window.next();

    assertThat(again).hasSize(1);
    assertThat(again.get(0).scan().getStartRow()).isEmpty();
    assertThat(again.get(0).scan().getStopRow()).isEqualTo(Bytes.toBytes("k300"));
  }

  @Test
  void manyRegions_areMergedInLittleMemory() {
    SplittableRandom random = new SplittableRandom(5);
    List<String> starts = new ArrayList<>(List.of(""));
    for (int i = 0; i < 1_000; i++) {
      rows.put(key(i), "v%04d".formatted(random.nextInt(10_000)));
      if (i > 0 && i % 5 == 0) {
        starts.add(key(i));
      }
    }
    regions = starts;

    for (int limit : List.of(1, 3, 10, 50)) {
      asked.clear();
      assertThat(read(QUERY.limit(limit))).isEqualTo(expected(new RowOrder(AGE, false), limit));
      assertThat(asked).hasSizeLessThan(regions.size() + 10);
    }
  }

  @Test
  void fewRowsThatAreWanted_takeOneRound() {
    regions = List.of("", "k100");
    for (int i = 0; i < 200; i++) {
      rows.put(key(i), "same");
    }
    assertThat(read(QUERY.limit(3))).containsExactly("k000", "k001", "k002");
    assertThat(asked).containsExactly(":3", "k100:3");
  }

  @Test
  void rowWithoutMark_isRefused() {
    OrderedWindow window = OrderedWindow.first(QUERY);
    Result unmarked =
        Result.create(
            List.of(
                new KeyValue(Bytes.toBytes("r"), AGE.family(), AGE.qualifier(), new byte[] {1})));

    assertThatThrownBy(() -> window.next().get(0).take(unmarked))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("a region of table t did not order its rows");
  }

  private static String key(int i) {
    return String.format(Locale.ROOT, "k%03d", i);
  }
}
