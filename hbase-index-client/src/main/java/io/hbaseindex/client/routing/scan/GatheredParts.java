/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Reads the first results of a scan's parts by one call to each server that has some of them.
 *
 * <p>A part whose results do not fit the call, or that the server did not read, goes on as an
 * ordinary scan. So all that a call may do is to make the scan faster: regions that have moved,
 * servers that do not know the call or do not answer soon, and errors all end in ordinary scans.
 *
 * <p>Calls begin as soon as it is known what to read, on whatever thread says so; some of them by a
 * guess, before the route has come. The route alone decides what is read: of the parts that were
 * guessed it takes those that it names, with exactly their bounds, and the others are forgotten.
 *
 * <p>Parts are opened by one thread, that of the scanner, once the route is there.
 */
final class GatheredParts implements Piece.Opener {
  /** Parts of one call at most. */
  private static final int MOST = 64;

  /**
   * What a call has brought of one part.
   *
   * @param complete whether that is all
   */
  record Answer(List<Result> results, boolean complete) {
    static final Answer NOTHING = new Answer(List.of(), false);

    /** Whether there is nothing more to be read of a part. */
    boolean suffices(Scan part) {
      return complete || part.getLimit() > 0 && results.size() >= part.getLimit();
    }

    /** The scan of what comes behind these results. */
    Scan remaining(Scan part) throws IOException {
      Scan remaining = new Scan(part);
      int brought = results.size();
      if (brought > 0) {
        remaining.withStartRow(results.get(brought - 1).getRow(), false);
        if (part.getLimit() > 0) {
          remaining.setLimit(part.getLimit() - brought);
        }
      }
      return remaining;
    }
  }

  /** Asks a server for the first results of some parts. */
  interface Call {
    /** One answer for each part, in their order; or an error, of the future alone. */
    CompletableFuture<List<Answer>> read(List<Scan> parts);

    /** A server did not answer in time. */
    void tookTooLong();
  }

  /**
   * How servers are asked.
   *
   * @param parallelism calls that are under way at the same time
   * @param patienceMillis how long a call is waited for
   */
  record Means(Call call, int parallelism, long patienceMillis) {}

  private record Place(GatheredGroup group, int number) {}

  /** What makes two parts of one scan the same. */
  private record Bounds(ByteBuffer start, boolean withStart, ByteBuffer stop, boolean withStop) {
    static Bounds of(Scan part) {
      return new Bounds(
          ByteBuffer.wrap(part.getStartRow()),
          part.includeStartRow(),
          ByteBuffer.wrap(part.getStopRow()),
          part.includeStopRow());
    }
  }

  private final Scan scan;
  private final Piece.Opener ordinary;
  private final Means means;

  /** Parts that have not been opened yet. */
  private final Map<Bounds, Place> places = new LinkedHashMap<>();

  /** Whether nothing is begun by a guess any more. */
  private boolean decided;

  private GatheredParts(Scan scan, Piece.Opener ordinary, Means means) {
    this.scan = scan;
    this.ordinary = ordinary;
    this.means = means;
  }

  /**
   * Reads parts of a scan; empty if an answer has no room for what it asks for, or HBase has to
   * count it.
   *
   * @param scan nobody changes it any more
   * @param ordinary reads what calls do not bring
   */
  static Optional<GatheredParts> of(Scan scan, Piece.Opener ordinary, Means means) {
    boolean possible =
        !scan.isReversed()
            && scan.getBatch() <= 0
            && !scan.getAllowPartialResults()
            && !scan.isNeedCursorResult()
            && !scan.isScanMetricsEnabled()
            && scan.getConsistency() == Consistency.STRONG
            && scan.getReplicaId() < 0;
    return possible ? Optional.of(new GatheredParts(scan, ordinary, means)) : Optional.empty();
  }

  /**
   * Begins to read where rows probably are, unless the route has come, or so many parts are meant
   * that they would not be read at once.
   *
   * @return whether something was begun
   */
  synchronized boolean guess(RoutePlan plan) {
    if (decided || plan.parts().size() > means.parallelism()) {
      return false;
    }
    begin(plan);
    return !places.isEmpty();
  }

  /** Reads where the rows are: what was not guessed is begun, and what was guessed wrong ends. */
  synchronized void route(RoutePlan plan) {
    if (!decided) {
      decided = true;
      begin(plan);
    }
  }

  private void begin(RoutePlan plan) {
    Map<String, GatheredGroup> open = new HashMap<>();
    Set<Bounds> named = new HashSet<>();
    for (RoutePlan.Part part : plan.parts()) {
      part.server()
          .ifPresent(
              server ->
                  ScanBounds.within(scan, part.range())
                      .ifPresent(
                          bounded -> {
                            named.add(Bounds.of(bounded));
                            add(open, server, bounded);
                          }));
    }
    places.keySet().retainAll(named);
    int limit = scan.getLimit();
    boolean limited = limit > 0;
    places.values().removeIf(place -> limited && place.group().size() > limit);
    // With a limit, parts behind the first ones may not be wanted at all.
    places.values().stream()
        .map(Place::group)
        .distinct()
        .limit(limited ? 1 : means.parallelism())
        .forEach(group -> group.begin(limit));
  }

  private void add(Map<String, GatheredGroup> open, String server, Scan part) {
    Bounds bounds = Bounds.of(part);
    if (places.containsKey(bounds)) {
      return;
    }
    GatheredGroup group = open.computeIfAbsent(server, any -> new GatheredGroup(means));
    places.put(bounds, new Place(group, group.add(part)));
    if (group.size() == MOST) {
      open.remove(server);
    }
  }

  @Override
  public synchronized Piece open(Scan part, boolean ahead) throws IOException {
    Place place = begun(part);
    return place == null
        ? ordinary.open(part, ahead)
        : place.group().piece(part, place.number(), ordinary);
  }

  /** What a call brings of a part; empty if none is made for it. */
  synchronized Optional<CompletableFuture<Answer>> answer(Scan part) {
    return Optional.ofNullable(begun(part)).map(place -> place.group().answer(place.number()));
  }

  /** Takes a part out: its results are not needed for longer than whoever reads it lives. */
  private Place begun(Scan part) {
    Place place = places.remove(Bounds.of(part));
    if (place != null) {
      place.group().begin(part.getLimit());
    }
    return place;
  }

  @Override
  public synchronized void close() {
    decided = true;
    places.values().forEach(place -> place.group().cancel());
  }
}
