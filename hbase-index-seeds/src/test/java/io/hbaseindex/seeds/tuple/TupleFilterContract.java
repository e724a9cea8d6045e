/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hbaseindex.core.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What every tuple filter must keep, tried against a plain list of tuples. */
abstract class TupleFilterContract {
  static final MemoryLimit LIMIT = MemoryLimit.ofMebibytes(64);

  private static final int SIZED_ELEMENTS = 20;
  private static final double SIZED_ERROR = 0.05;

  /** A filter of random shape, small enough that unrelated tuples collide often. */
  abstract TupleFilter random(SplittableRandom random);

  /** A filter that errs at about {@code error} for single attributes and full tuples. */
  abstract TupleFilter sized(int attributes, int elements, double error);

  /** A filter of some shape under the given limit. */
  abstract TupleFilter limited(MemoryLimit limit);

  @Test
  void anyQuery_thatAnInsertedTupleMatches_isNeverDenied() {
    Seeds.forEach(1_000, this::insertAndAsk);
  }

  private void insertAndAsk(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    TupleFilter filter = random(random);
    int domain = random.nextInt(1, 20);
    List<long[]> inserted = new ArrayList<>();
    for (int left = random.nextInt(40); left >= 0; left--) {
      long[] tuple = tuple(filter.attributes(), domain, random);
      filter.insert(tuple);
      inserted.add(tuple);
      askForOne(filter, inserted, random);
    }
    for (long[] tuple : inserted) {
      assertThat(filter.mightContain(tuple)).isTrue();
      if (filter instanceof PartialMatchFilter partial) {
        AttributeSet given = someAttributes(filter.attributes(), random);
        assertThat(partial.mightMatch(given, tuple)).isTrue();
      }
    }
    for (int i = 0; i < 20; i++) {
      askForOne(filter, inserted, random);
    }
  }

  /** Asks with random values, often recombined ones, and compares with the list. */
  private void askForOne(TupleFilter filter, List<long[]> inserted, SplittableRandom random) {
    long[] values = recombined(inserted, random);
    if (present(AttributeSet.first(filter.attributes()), values, inserted)) {
      assertThat(filter.mightContain(values)).isTrue();
    }
    if (filter instanceof PartialMatchFilter partial) {
      AttributeSet given = someAttributes(filter.attributes(), random);
      if (present(given, values, inserted)) {
        assertThat(partial.mightMatch(given, values)).isTrue();
      }
    }
  }

  @Test
  void mightContain_absentTuple_isMostlyDenied() {
    double error = measuredError(AttributeSet.first(3));

    assertThat(error).isLessThan(1.4 * SIZED_ERROR);
  }

  @Test
  void mightMatch_absentValues_areMostlyDenied() {
    if (sized(3, SIZED_ELEMENTS, SIZED_ERROR) instanceof PartialMatchFilter) {
      for (int given = 1; given < 8; given++) {
        assertThat(measuredError(new AttributeSet(given)))
            .as("given %s", new AttributeSet(given))
            .isLessThan(1.4 * SIZED_ERROR);
      }
    }
  }

  private double measuredError(AttributeSet given) {
    SplittableRandom random = new SplittableRandom(7);
    int filters = 20;
    int queries = 250;
    int wrong = 0;
    for (int i = 0; i < filters; i++) {
      TupleFilter filter = sized(3, SIZED_ELEMENTS, SIZED_ERROR);
      for (int n = 0; n < SIZED_ELEMENTS; n++) {
        filter.insert(random.longs(3).toArray());
      }
      for (int q = 0; q < queries; q++) {
        long[] absent = random.longs(3).toArray();
        boolean answer =
            given.size() == 3
                ? filter.mightContain(absent)
                : ((PartialMatchFilter) filter).mightMatch(given, absent);
        wrong += answer ? 1 : 0;
      }
    }
    return (double) wrong / (filters * queries);
  }

  @Test
  void create_aboveTheLimit_namesTheNeed() {
    long needed = limited(LIMIT).memoryBits();

    assertThat(limited(new MemoryLimit(needed)).memoryBits()).isEqualTo(needed);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limited(new MemoryLimit(needed - 1)))
        .withMessageContaining("needs %,d bits", needed)
        .withMessageContaining("limit is %,d bits", needed - 1);
  }

  @Test
  void use_tupleOfOtherLength_isRefused() {
    TupleFilter filter = sized(3, SIZED_ELEMENTS, SIZED_ERROR);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.insert(new long[2]))
        .withMessage("Cannot use a tuple of 2 attributes: the filter's tuples have 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.mightContain(new long[4]))
        .withMessageContaining("of 4 attributes");
    if (filter instanceof PartialMatchFilter partial) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> partial.mightMatch(AttributeSet.of(0), new long[1]))
          .withMessageContaining("of 1 attributes");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> partial.mightMatch(AttributeSet.of(1, 3), new long[3]))
          .withMessage("Cannot use attributes {1, 3}: the filter's tuples have 3, counted from 0");
    }
  }

  @Test
  void create_badNumberOfAttributes_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sized(17, SIZED_ELEMENTS, SIZED_ERROR))
        .withMessageContaining("attributes was 17");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sized(0, SIZED_ELEMENTS, SIZED_ERROR))
        .withMessageContaining("attributes was 0");
  }

  static AttributeSet someAttributes(int attributes, SplittableRandom random) {
    return new AttributeSet(random.nextInt(1 << attributes));
  }

  static long[] tuple(int attributes, int domain, SplittableRandom random) {
    return random.longs(attributes, 0, domain).map(Long::reverse).toArray();
  }

  static long[] recombined(List<long[]> tuples, SplittableRandom random) {
    long[] values = new long[tuples.get(0).length];
    for (int attribute = 0; attribute < values.length; attribute++) {
      values[attribute] =
          random.nextInt(8) == 0
              ? random.nextLong()
              : tuples.get(random.nextInt(tuples.size()))[attribute];
    }
    return values;
  }

  static boolean present(AttributeSet given, long[] values, List<long[]> tuples) {
    return tuples.stream().anyMatch(tuple -> matches(given, values, tuple));
  }

  private static boolean matches(AttributeSet given, long[] values, long[] tuple) {
    for (int attribute = 0; attribute < tuple.length; attribute++) {
      if (given.contains(attribute) && values[attribute] != tuple[attribute]) {
        return false;
      }
    }
    return true;
  }
}
