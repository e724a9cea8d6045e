/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.scan.GatheredParts.Answer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part whose first results come with those of other parts. An ordinary scan reads the rest, from
 * the moment on that it is known that there is one.
 */
final class GatheredPiece implements Piece {
  private static final Logger LOG = LoggerFactory.getLogger(GatheredPiece.class);

  private final Scan part;
  private final GatheredGroup group;
  private final int number;
  private final Opener ordinary;
  private Answer first;
  private int given;
  private Piece rest;

  /**
   * @param number which of the group's answers is for this part
   * @param ordinary reads what the call does not bring
   */
  GatheredPiece(Scan part, GatheredGroup group, int number, Opener ordinary) {
    this.part = part;
    this.group = group;
    this.number = number;
    this.ordinary = ordinary;
  }

  int number() {
    return number;
  }

  /** The call has brought this. */
  void arrived(Answer answer) {
    first = answer;
    if (!answer.suffices(part)) {
      try {
        rest = ordinary.open(answer.remaining(part), true);
      } catch (IOException e) {
        LOG.debug("The rest of a part is opened when it is wanted", e);
      }
    }
  }

  @Override
  public Result next() throws IOException {
    if (first == null) {
      group.await();
    }
    List<Result> results = first.results();
    if (given < results.size()) {
      return results.get(given++);
    }
    if (first.suffices(part)) {
      return null;
    }
    if (rest == null) {
      rest = ordinary.open(first.remaining(part), false);
    }
    return rest.next();
  }

  @Override
  public boolean renewLease() {
    return rest == null || rest.renewLease();
  }

  @Override
  public ScanMetrics metrics() {
    return rest == null ? null : rest.metrics();
  }

  @Override
  public void close() {
    if (first == null) {
      group.cancel(); // only a scanner that is closed itself closes parts before their end
    }
    if (rest != null) {
      rest.close();
    }
  }
}
