/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bits of a whole chain at one moment, in chain order: all that answering a lookup needs, and
 * all that ever leaves the region server.
 */
@InterfaceAudience.Private
public record FilterSnapshot(List<Segment> segments) implements MembershipFilter {
  /** The bits of one segment; the plane is a copy that nobody writes any more. */
  public record Segment(int id, SizeClass sizeClass, BitPlane plane) {
    public Segment {
      if (plane.size() != sizeClass.cells()) {
        throw new IllegalArgumentException(
            "Cannot take segment "
                + id
                + ": its plane has "
                + plane.size()
                + " bits, its class "
                + sizeClass
                + " asks for "
                + sizeClass.cells());
      }
    }
  }

  public FilterSnapshot {
    segments = List.copyOf(segments);
  }

  @Override
  public boolean mightContain(long element) {
    for (Segment segment : segments) {
      if (segment.sizeClass().matches(element, segment.plane())) {
        return true;
      }
    }
    return false;
  }

  /** Bytes of plane in all segments. */
  public long planeBytes() {
    return segments.stream().mapToLong(s -> BitPlane.bytesFor(s.plane().size())).sum();
  }
}
