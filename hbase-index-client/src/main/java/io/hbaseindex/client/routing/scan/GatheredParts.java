/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Reads the parts of a scan that lie on one server by one call, as far as their first results go.
 *
 * <p>A part whose results do not fit the call, or that the server did not read, goes on as an
 * ordinary scan. So all that a call may do is to make the scan faster: regions that have moved,
 * servers that do not know the call or do not answer soon, and errors all end in ordinary scans.
 *
 * <p>For one thread, that of the scanner.
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

    /** A server did not answer in time. */
    void tookTooLong();
  }

  /**
   * How servers are asked.
   *
   * @param executor makes the calls; it refuses what it has no thread for
   * @param parallelism calls that are under way at the same time
   * @param patienceMillis how long a call is waited for
   */
  record Means(Call call, Executor executor, int parallelism, long patienceMillis) {}

  private record Place(GatheredGroup group, int number) {}

  private final Piece.Opener ordinary;

  /** Parts that have not been opened yet, by their first rows. */
  private final Map<String, Place> places = new LinkedHashMap<>();

  /** How many calls may begin before their parts are opened. */
  private int early;

  private GatheredParts(Piece.Opener ordinary, int early) {
    this.ordinary = ordinary;
    this.early = early;
  }

  /** Reads the parts of a plan, several by one call if that is possible. */
  static Piece.Opener of(Scan scan, RoutePlan plan, Piece.Opener ordinary, Means means) {
    if (!isPossible(scan)) {
      return ordinary;
    }
    boolean limited = scan.getLimit() > 0;
    GatheredParts gathered = new GatheredParts(ordinary, limited ? 0 : means.parallelism());
    Map<String, GatheredGroup> open = new HashMap<>();
    for (RoutePlan.Part part : plan.parts()) {
      part.server()
          .ifPresent(
              server ->
                  ScanBounds.within(scan, part.range())
                      .ifPresent(bounded -> gathered.add(open, server, bounded, means)));
    }
    int mostParts = limited ? scan.getLimit() : Integer.MAX_VALUE;
    gathered
        .places
        .values()
        .removeIf(place -> place.group().size() < 2 || place.group().size() > mostParts);
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

  private void add(Map<String, GatheredGroup> open, String server, Scan part, Means means) {
    GatheredGroup group = open.computeIfAbsent(server, any -> new GatheredGroup(means));
    places.put(key(part), new Place(group, group.add(part)));
    if (group.size() == MOST) {
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
    Piece piece =
        place.group().begin(part.getLimit())
            ? place.group().piece(part, place.number(), ordinary)
            : ordinary.open(part, ahead);
    places.remove(key(part)); // its results are not needed for longer than the piece
    return piece;
  }

  /** With the first part, so that servers work side by side wherever their regions lie. */
  private void beginOthers(GatheredGroup first) {
    places.values().stream()
        .map(Place::group)
        .distinct()
        .limit(early)
        .filter(group -> group != first)
        .forEach(group -> group.begin(-1));
    early = 0;
  }

  @Override
  public void close() {
    places.values().forEach(place -> place.group().cancel());
  }
}
