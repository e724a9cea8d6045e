/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.GoldenFile;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The planes of a filter, and where an element's bits are in them, byte by byte. */
class FilterGoldenTest {
  private static final long PLENTY = 1 << 20;

  @Test
  void planes_denseAndSparse_areWrittenAndReadAsEver() throws Exception {
    FilterSnapshot written =
        new FilterSnapshot(
            List.of(segment(3, new SizeClass(2, 500), 1, 8, 999), full(-4, new SizeClass(3, 50))));

    byte[] golden = GoldenFile.bytes("filter-planes", FilterCodec.encode(written));

    FilterSnapshot read = FilterCodec.decodeSnapshot(golden, PLENTY);
    assertThat(read).usingRecursiveComparison().isEqualTo(written);
  }

  @Test
  void positions_ofElements_areThoseOfEveryFilterEverSent() {
    StringBuilder lines = new StringBuilder();
    for (SizeClass shape :
        List.of(new SizeClass(4, 100), new SizeClass(7, 1 << 17), new SizeClass(16, 3 << 18))) {
      for (long element : new long[] {0, 1, -1, 0x0123_4567_89AB_CDEFL}) {
        lines.append("%d x %d, %016x:".formatted(shape.slices(), shape.slots(), element));
        for (int slice = 0; slice < shape.slices(); slice++) {
          lines.append(' ').append(shape.position(element, slice));
        }
        lines.append('\n');
      }
    }

    GoldenFile.text("element-positions", lines.toString());
  }

  private static FilterSnapshot.Segment segment(int id, SizeClass shape, long... bits) {
    BitPlane plane = new BitPlane(shape.cells());
    for (long bit : bits) {
      plane.set(bit);
    }
    return new FilterSnapshot.Segment(id, shape, plane);
  }

  private static FilterSnapshot.Segment full(int id, SizeClass shape) {
    return segment(id, shape, LongStream.range(0, shape.cells()).toArray());
  }
}
