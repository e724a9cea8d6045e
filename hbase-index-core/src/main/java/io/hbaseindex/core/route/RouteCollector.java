/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.route.RouteAnswer.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Builds a route from the regions of a table, given in key order. Keys between two regions are
 * open.
 *
 * <p>Where several shards have bounds, each is asked for a range and can tell of a few regions
 * only. Of a large table the others are told of together, without their servers, as long as they
 * are neighbours: they would be nearly all of the answer, and say nothing.
 */
@InterfaceAudience.Private
public final class RouteCollector implements RouteSink {
  /** Answers of so many ranges name each region. */
  static final int MOST_APART = 1 << 10;

  private final List<Candidate> candidates = new ArrayList<>();
  private final BitSet undecided = new BitSet();
  private final KeyGaps gaps = new KeyGaps();
  private int excluded;
  private int positive;
  private int open;

  @Override
  public void excluded(RowRange keys, List<String> servers) {
    gaps.advance(keys).ifPresent(this::unannounced);
    excluded += servers.size();
  }

  @Override
  public void candidate(RowRange range, String server, OpenReason why) {
    gaps.advance(range).ifPresent(this::unannounced);
    candidates.add(new Candidate(range, server, why));
    if (why == null) {
      positive++;
    } else {
      open++;
    }
  }

  @Override
  public void undecided(RowRange range, String server) {
    candidate(range, server, null);
    undecided.set(candidates.size() - 1);
  }

  public RouteAnswer finish() {
    gaps.rest().ifPresent(this::unannounced);
    return new RouteAnswer(
        candidates.size() > MOST_APART ? joined() : candidates, excluded, positive, open);
  }

  /** The candidates, of which neighbours that are undecided are one. */
  private List<Candidate> joined() {
    List<Candidate> joined = new ArrayList<>();
    for (int at = 0; at < candidates.size(); at++) {
      int last = at;
      while (undecided.get(last) && undecided.get(last + 1) && areNeighbours(last)) {
        last++;
      }
      RowRange range =
          new RowRange(candidates.get(at).range().start(), candidates.get(last).range().end());
      joined.add(last == at ? candidates.get(at) : new Candidate(range, null, null));
      at = last;
    }
    return joined;
  }

  private boolean areNeighbours(int at) {
    return Arrays.equals(candidates.get(at).range().end(), candidates.get(at + 1).range().start());
  }

  private void unannounced(RowRange range) {
    candidates.add(new Candidate(range, null, OpenReason.ABSENT));
  }
}
