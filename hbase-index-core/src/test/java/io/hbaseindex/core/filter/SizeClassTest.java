package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SizeClassTest {
  /** A server of another release must find the same: a new mapping needs new blob versions. */
  @Test
  void positions_areThoseOfTheFormat() {
    SizeClass shape = new SizeClass(4, 1_000_003);

    assertThat(IntStream.range(0, 4).mapToLong(slice -> shape.position(42, slice)))
        .containsExactly(692_712L, 1_556_444L, 2_907_929L, 3_059_476L);
  }

  @Test
  void positions_ofEachSlice_lieInThatSlice_andReachItsEnds() {
    SizeClass shape = new SizeClass(64, 7);
    for (int slice = 0; slice < 64; slice++) {
      long[] seen = new long[7];
      for (long element = 0; element < 700; element++) {
        seen[(int) (shape.position(element, slice) - 7L * slice)]++;
      }
      // 100 each are expected; six sigma are 56.
      assertThat(Arrays.stream(seen))
          .as("slice %d", slice)
          .allMatch(count -> count > 44 && count < 156);
    }
  }
}
