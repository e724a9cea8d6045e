/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.route.RouteAnswer.Candidate;
import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Builds a route from the regions of a table, given in key order. Keys between two regions are
 * open.
 */
@InterfaceAudience.Private
public final class RouteCollector implements RouteSink {
  private final List<Candidate> candidates = new ArrayList<>();
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

  public RouteAnswer finish() {
    gaps.rest().ifPresent(this::unannounced);
    return new RouteAnswer(candidates, excluded, positive, open);
  }

  private void unannounced(RowRange range) {
    candidates.add(new Candidate(range, null, OpenReason.ABSENT));
  }
}
