/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Picks what to ask for, by counting the people there are: whatever their number, it is telling.
 */
final class Census {
  private static final int SMALL = 5;

  private final Population people;
  private final Map<String, Integer> byCity = new TreeMap<>();
  private final Map<String, Integer> blockedByCity = new HashMap<>();

  Census(Population people) {
    this.people = people;
    for (int number = 0; number < people.size(); number++) {
      Person person = people.person(number);
      byCity.merge(person.city(), 1, Integer::sum);
      if (person.status().equals("blocked")) {
        blockedByCity.merge(person.city(), 1, Integer::sum);
      }
    }
  }

  /** Somebody from the middle of the table. */
  Person somebody() {
    return people.person(people.size() / 2);
  }

  /** A stretch of time in the middle, of a fiftieth of the whole: when it begins, and ends. */
  long[] middleOfTheTime() {
    int middle = people.size() / 2;
    return new long[] {
      people.person(middle).joined(), people.person(middle + people.size() / 50).joined()
    };
  }

  /** A place with a handful of inhabitants, or the one that comes closest. */
  String smallPlace() {
    return closest(byCity.keySet(), byCity, SMALL);
  }

  /** A real city of which a few inhabitants are blocked: the two conditions are rare together. */
  String cityWithFewBlocked() {
    return closest(Population.cities(), blockedByCity, SMALL);
  }

  private static String closest(Set<String> places, Map<String, Integer> counts, int wanted) {
    String best = null;
    for (String place : places) {
      if (best == null || distance(counts, place, wanted) < distance(counts, best, wanted)) {
        best = place;
      }
    }
    return best;
  }

  private static int distance(Map<String, Integer> counts, String place, int wanted) {
    return Math.abs(counts.getOrDefault(place, 0) - wanted);
  }
}
