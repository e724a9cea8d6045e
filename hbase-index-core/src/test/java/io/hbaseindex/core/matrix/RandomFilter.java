/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A chain of segments that changes at random and reports its changes: what a matrix has to follow,
 * and, asked by itself, what it has to answer.
 */
final class RandomFilter {
  private final SplittableRandom random;
  private final List<SizeClass> classes;
  private final TreeMap<Integer, FilterSnapshot.Segment> segments = new TreeMap<>();
  private int nextId;

  RandomFilter(SplittableRandom random, List<SizeClass> classes, int segments) {
    this.random = random;
    this.classes = classes;
    restart(segments);
  }

  /** Starts over with new segments, about half full. */
  void restart(int count) {
    segments.clear();
    for (int i = 0; i < count; i++) {
      SizeClass sizeClass = classes.get(random.nextInt(classes.size()));
      BitPlane plane = new BitPlane(sizeClass.cells());
      for (long position = 0; position < sizeClass.cells(); position++) {
        if (random.nextBoolean()) {
          plane.set(position);
        }
      }
      segments.put(nextId, new FilterSnapshot.Segment(nextId, sizeClass, plane));
      nextId++;
    }
  }

  /** Changes the chain and says how. */
  FilterChanges change(int steps) {
    FilterChanges changes = new FilterChanges();
    for (int i = 0; i < steps; i++) {
      int kind = random.nextInt(12);
      if (kind == 0) {
        SizeClass sizeClass = classes.get(random.nextInt(classes.size()));
        segments.put(
            nextId, new FilterSnapshot.Segment(nextId, sizeClass, new BitPlane(sizeClass.cells())));
        changes.segmentAdded(nextId++, sizeClass);
      } else if (!segments.isEmpty()) {
        List<Integer> ids = new ArrayList<>(segments.keySet());
        int id = ids.get(random.nextInt(ids.size()));
        if (kind == 1) {
          segments.remove(id);
          changes.segmentDropped(id);
        } else {
          changeBit(segments.get(id), changes);
        }
      }
    }
    return changes;
  }

  private void changeBit(FilterSnapshot.Segment segment, FilterChanges changes) {
    long position = random.nextLong(segment.sizeClass().cells());
    if (segment.plane().clear(position)) {
      changes.bitCleared(segment.id(), position);
    } else {
      segment.plane().set(position);
      changes.bitSet(segment.id(), position);
    }
  }

  FilterSnapshot snapshot() {
    return new FilterSnapshot(
        segments.values().stream()
            .map(s -> new FilterSnapshot.Segment(s.id(), s.sizeClass(), s.plane().copy()))
            .toList());
  }

  boolean mightContain(long element) {
    return segments.values().stream().anyMatch(s -> s.sizeClass().matches(element, s.plane()));
  }

  int size() {
    return segments.size();
  }
}
