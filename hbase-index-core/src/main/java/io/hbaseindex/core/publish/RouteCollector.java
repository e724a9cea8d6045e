package io.hbaseindex.core.publish;

import io.hbaseindex.core.publish.RouteAnswer.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Puts a route together from the regions of a table in key order; what lies between is open. */
final class RouteCollector {
  private static final byte[] NONE = {};

  private final List<Candidate> candidates = new ArrayList<>();
  private int excluded;
  private int positive;
  private int open;

  /** Where the last region ended; null once one had no end. */
  private byte[] reached = NONE;

  void excluded(RowRange range) {
    reach(range);
    excluded++;
  }

  void positive(RowRange range, String server) {
    add(range, server, null);
    positive++;
  }

  void open(RowRange range, String server, OpenReason reason) {
    add(range, server, reason);
    open++;
  }

  RouteAnswer finish() {
    if (reached != null) {
      candidates.add(new Candidate(new RowRange(reached, NONE), null, OpenReason.ABSENT));
    }
    return new RouteAnswer(candidates, excluded, positive, open);
  }

  private void add(RowRange range, String server, OpenReason reason) {
    reach(range);
    candidates.add(new Candidate(range, server, reason));
  }

  private void reach(RowRange range) {
    if (Arrays.compareUnsigned(reached, range.start()) < 0) {
      candidates.add(new Candidate(new RowRange(reached, range.start()), null, OpenReason.ABSENT));
    }
    reached = range.end().length == 0 ? null : range.end();
  }
}
