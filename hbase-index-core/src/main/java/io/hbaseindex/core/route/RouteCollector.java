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
  public void excluded(RowRange range, String server) {
    gaps.advance(range).ifPresent(this::unannounced);
    excluded++;
  }

  @Override
  public void positive(RowRange range, String server) {
    add(range, server, null);
    positive++;
  }

  @Override
  public void open(RowRange range, String server, OpenReason reason) {
    add(range, server, reason);
    open++;
  }

  public RouteAnswer finish() {
    gaps.rest().ifPresent(this::unannounced);
    return new RouteAnswer(candidates, excluded, positive, open);
  }

  private void add(RowRange range, String server, OpenReason reason) {
    gaps.advance(range).ifPresent(this::unannounced);
    candidates.add(new Candidate(range, server, reason));
  }

  private void unannounced(RowRange range) {
    candidates.add(new Candidate(range, null, OpenReason.ABSENT));
  }
}
