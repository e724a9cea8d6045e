/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tries <em>every</em> sequence of inserts and deletes over a few elements in a tiny chain, up to a
 * number of copies and segments: whatever random tests may overlook is in here.
 */
class ChainExhaustiveTest {
  private static final int MOST_COPIES = 2;
  private static final int MOST_SEGMENTS = 4;

  static Stream<Arguments> geometries() {
    return Stream.of(
        // One element fills a segment of two slots; two slices, so false positives abound.
        Arguments.of("1 element, 2 slices", FilterGeometry.equalSegments(1, 0.25), 5),
        Arguments.of("2 elements, 1 slice", FilterGeometry.equalSegments(2, 0.5), 5),
        Arguments.of("doubling from 1", FilterGeometry.doubling(1, 0.9), 5));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("geometries")
  void everySequence_presentElement_isNeverDenied(
      String name, FilterGeometry geometry, int elements) {
    int states = explore(geometry, elements);

    assertThat(states).as("states reached").isGreaterThan(1000);
  }

  /** Breadth-first over all reachable states; a state is rebuilt from the operations to it. */
  private static int explore(FilterGeometry geometry, int elements) {
    Set<String> seen = new HashSet<>();
    Deque<List<Integer>> open = new ArrayDeque<>();
    open.add(List.of());
    while (!open.isEmpty()) {
      List<Integer> path = open.remove();
      for (int operation = 0; operation < 2 * elements; operation++) {
        State state = new State(geometry, elements);
        path.forEach(state::apply);
        if (!state.allows(operation)) {
          continue;
        }
        state.apply(operation);
        state.check(path, operation);
        if (seen.add(state.fingerprint()) && state.filter.segmentCount() <= MOST_SEGMENTS) {
          List<Integer> longer = new ArrayList<>(path);
          longer.add(operation);
          open.add(longer);
        }
      }
    }
    return seen.size();
  }

  private static final class State {
    private final ScalableSplitCountingBloomFilter filter;
    private final long[] hashes;
    private final int[] copies;

    State(FilterGeometry geometry, int elements) {
      filter = new ScalableSplitCountingBloomFilter(geometry, FilterChangeListener.NONE, 0, 1);
      hashes = new SplittableRandom(7).longs(elements).toArray();
      copies = new int[elements];
    }

    boolean allows(int operation) {
      int element = operation / 2;
      return operation % 2 == 0 ? copies[element] < MOST_COPIES : copies[element] > 0;
    }

    void apply(int operation) {
      int element = operation / 2;
      if (operation % 2 == 0) {
        filter.insert(hashes[element]);
        copies[element]++;
      } else {
        filter.delete(hashes[element]);
        copies[element]--;
      }
    }

    void check(List<Integer> path, int last) {
      for (int element = 0; element < copies.length; element++) {
        if (copies[element] > 0 && !filter.mightContain(hashes[element])) {
          throw new AssertionError(
              "element " + element + " is denied after " + path + " then " + last);
        }
      }
    }

    /** All that future answers depend on: truth, counters, heavy elements; not the ids. */
    String fingerprint() {
      StringBuilder print = new StringBuilder(Arrays.toString(copies));
      for (ScalableSplitCountingBloomFilter.Link link : filter.chain()) {
        print.append('|').append(link.level).append('/').append(link.ordinal);
        for (long cell = 0; cell < link.filter.sizeClass().cells(); cell++) {
          print.append((char) ('a' + link.filter.counters().get(cell)));
        }
      }
      filter.heavy().forEach((element, count) -> print.append(element).append('x').append(count));
      return print.toString();
    }
  }
}
