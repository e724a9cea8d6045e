/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import java.util.OptionalLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What was expected of an access to postings, and what became of it.
 *
 * @param access in words, such as {@code lookup by_city}
 * @param estimated live postings that it was expected to have at most; empty if nobody knew
 * @param leftOut whether it would have cost more than it saves
 * @param live live postings of it that were read
 */
@InterfaceAudience.Private
public record AccessFigures(String access, OptionalLong estimated, boolean leftOut, long live) {

  /** The same of two accesses that are called alike. */
  public AccessFigures plus(AccessFigures other) {
    OptionalLong sum =
        estimated.isPresent() && other.estimated.isPresent()
            ? OptionalLong.of(estimated.getAsLong() + other.estimated.getAsLong())
            : OptionalLong.empty();
    return new AccessFigures(access, sum, leftOut && other.leftOut, live + other.live);
  }

  /** With so many postings more that were read. */
  public AccessFigures read(long more) {
    return new AccessFigures(access, estimated, leftOut, live + more);
  }
}
