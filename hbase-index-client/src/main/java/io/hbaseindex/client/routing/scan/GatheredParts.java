/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the parts of a scan that lie on one server by one call, as far as their first results go.
 *
 * <p>A part whose results do not fit the call, or that the server did not read, goes on as an
 * ordinary scan. So all that a call may do is to make the scan faster: regions that have moved,
 * servers that do not know the call, and errors all end in the ordinary scan.
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
  }

  /** Asks a server for the first results of some parts. */
  interface Call {
    /** One answer for each part, in their order. */
    List<Answer> read(List<Scan> parts) throws IOException;
  }

  /** Parts of one server, and the call for them once it has begun. */
  private final class Group {
    private final List<Scan> parts = new ArrayList<>();
    private FutureTask<List<Answer>> call;

    /** Begins the call unless it has begun; it is made by whoever first waits for it or has time. */
    FutureTask<List<Answer>> begin(int limit, boolean ahead) {
      if (call == null) {
        parts.forEach(part -> part.setLimit(limit));
        call = new FutureTask<>(() -> calls.read(parts));
      }
      if (ahead) {
        try {
          executor.execute(call);
        } catch (RejectedExecutionException e) {
          return call; // no thread is free: the scanner's own makes the call when it gets there
        }
      }
      return call;
    }
  }

  private record Place(Group group, int number) {}

  private final Piece.Opener ordinary;
  private final Call calls;
  private final Executor executor;
  private final Map<String, Place> places = new LinkedHashMap<>();

  /** How many calls may begin before their parts are opened. */
  private int early;

  private GatheredParts(Piece.Opener ordinary, Call calls, Executor executor) {
    this.ordinary = ordinary;
    this.calls = calls;
    this.executor = executor;
  }

  /**
   * Reads the parts of a plan, several by one call if that is possible.
   *
   * @param parallelism calls that are under way at the same time
   */
  static Piece.Opener of(
      Scan scan,
      RoutePlan plan,
      Piece.Opener ordinary,
      Call calls,
      Executor executor,
      int parallelism) {
    if (!isPossible(scan)) {
      return ordinary;
    }
    GatheredParts gathered = new GatheredParts(ordinary, calls, executor);
    gathered.early = scan.getLimit() > 0 ? 0 : parallelism;
    Map<String, Group> open = new HashMap<>();
    for (RoutePlan.Part part : plan.parts()) {
      part.server()
          .ifPresent(
              server ->
                  ScanBounds.within(scan, part.range())
                      .ifPresent(bounded -> gathered.add(open, server, bounded)));
    }
    int mostParts = scan.getLimit() > 0 ? scan.getLimit() : Integer.MAX_VALUE;
    gathered
        .places
        .values()
        .removeIf(place -> place.group().parts.size() < 2 || place.group().parts.size() > mostParts);
    return gathered.places.isEmpty() ? ordinary : gathered;
  }

  /** What other scans ask for, an answer has no room for, or is to be counted by HBase. */
  private static boolean isPossible(Scan scan) {
    return !scan.isReversed()
        && scan.getBatch() <= 0
        && !scan.getAllowPartialResults()
        && !scan.isNeedCursorResult()
        && !scan.isScanMetricsEnabled()
        && scan.getConsistency() == Consistency.STRONG
        && scan.getReplicaId() < 0;
  }

  private void add(Map<String, Group> open, String server, Scan part) {
    Group group = open.computeIfAbsent(server, any -> new Group());
    places.put(key(part), new Place(group, group.parts.size()));
    group.parts.add(part);
    if (group.parts.size() == MOST) {
      open.remove(server);
    }
  }

  private static String key(Scan part) {
    return Bytes.toStringBinary(part.getStartRow());
  }

  @Override
  public Piece open(Scan part, boolean ahead) throws IOException {
    Place place = places.get(key(part));
    if (place == null) {
      return ordinary.open(part, ahead);
    }
    beginOthers(place.group());
    return new GatheredPiece(
        part, place.group().begin(part.getLimit(), ahead), place.number(), ordinary);
  }

  /** With the first part, so that servers work side by side wherever their regions lie. */
  private void beginOthers(Group first) {
    places.values().stream()
        .map(Place::group)
        .distinct()
        .limit(early)
        .filter(group -> group != first)
        .forEach(group -> group.begin(-1, true));
    early = 0;
  }
}
