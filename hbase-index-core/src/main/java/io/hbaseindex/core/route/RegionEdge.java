/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.route.RouteAnswer.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How far the values of an index reach in one region: beyond its edge there is no row (E4).
 *
 * @param range the region's keys
 * @param prefix what the outermost value may begin with, {@linkplain
 *     io.hbaseindex.core.entry.IndexRowKeys#encoded as keys of postings have it}; empty if the
 *     region has no value at all
 */
@InterfaceAudience.Private
public record RegionEdge(RowRange range, Optional<byte[]> prefix) {
  /**
   * What is asked for.
   *
   * @param index all columns of the index; its first one is meant
   * @param largest whether the upper edges are wanted, or the lower ones
   */
  public record Question(IndexCoverage index, boolean largest) {}

  /**
   * Those of regions that an answer leaves, which are few of a large table.
   *
   * @param edges in the order of keys, as the candidates of the answer are
   */
  public static List<RegionEdge> leftBy(RouteAnswer answer, List<RegionEdge> edges) {
    List<RegionEdge> left = new ArrayList<>();
    List<Candidate> candidates = answer.candidates();
    int at = 0;
    for (RegionEdge edge : edges) {
      byte[] start = edge.range().start();
      while (at < candidates.size() && !candidates.get(at).range().isBelowEnd(start)) {
        at++;
      }
      if (at < candidates.size() && candidates.get(at).range().contains(start)) {
        left.add(edge);
      }
    }
    return left;
  }

  /**
   * Whether all values of the region come behind another one.
   *
   * @param encoded the other value
   * @param falling whether larger values come first; the edge is an upper one then
   */
  public boolean isBehind(byte[] encoded, boolean falling) {
    return prefix.map(edge -> isBehind(edge, encoded, falling)).orElse(true);
  }

  private static boolean isBehind(byte[] edge, byte[] encoded, boolean falling) {
    int at = Arrays.mismatch(edge, encoded);
    // What one of them begins with says nothing of what follows.
    boolean differs = at >= 0 && at < Math.min(edge.length, encoded.length);
    return differs && (edge[at] & 0xFF) < (encoded[at] & 0xFF) == falling;
  }

  /** Compares edges: the region that may reach farthest comes first. */
  public static int compare(RegionEdge one, RegionEdge other, boolean falling) {
    if (one.prefix.isEmpty() || other.prefix.isEmpty()) {
      return Boolean.compare(one.prefix.isEmpty(), other.prefix.isEmpty());
    }
    int rising = Arrays.compareUnsigned(one.prefix.get(), other.prefix.get());
    return falling ? -rising : rising;
  }
}
