/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Names a closed filter by the range of groups it stands for: one group when it is closed, several
 * after filters were merged.
 *
 * <p>A merged filter's range holds the ranges of those it was merged from. That is how an
 * interrupted merge, which leaves both on disk, is recognised and its events are not counted twice.
 *
 * @param first number of the oldest group, from 0
 * @param last number of the newest group
 */
@InterfaceAudience.Private
public record MbfId(long first, long last) implements Comparable<MbfId> {
  public MbfId {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException(
          "Cannot name a filter: groups " + first + " to " + last + " are no range from 0 on");
    }
  }

  /** The id of a filter that was never merged. */
  public static MbfId of(long group) {
    return new MbfId(group, group);
  }

  MbfId through(MbfId later) {
    return new MbfId(first, later.last);
  }

  boolean contains(MbfId other) {
    return first <= other.first && other.last <= last;
  }

  boolean overlaps(MbfId other) {
    return first <= other.last && other.first <= last;
  }

  @Override
  public int compareTo(MbfId other) {
    int byFirst = Long.compare(first, other.first);
    return byFirst != 0 ? byFirst : Long.compare(last, other.last);
  }

  @Override
  public String toString() {
    return first == last ? Long.toString(first) : first + ".." + last;
  }
}
