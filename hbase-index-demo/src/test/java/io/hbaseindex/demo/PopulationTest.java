/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PopulationTest {
  private static final int SIZE = 20_000;

  private final Population people = new Population(SIZE);

  @Test
  void person_sameNumber_isTheSamePerson() {
    assertThat(people.person(4711)).isEqualTo(new Population(SIZE).person(4711));
  }

  @Test
  void email_isUnique() {
    Set<String> emails = new HashSet<>();
    for (int number = 0; number < SIZE; number++) {
      assertThat(emails.add(people.person(number).email())).isTrue();
    }
  }

  @Test
  void city_isSkewed() {
    Map<String, Integer> inhabitants = new HashMap<>();
    for (int number = 0; number < SIZE; number++) {
      inhabitants.merge(people.person(number).city(), 1, Integer::sum);
    }
    assertThat(inhabitants.get("Berlin")).isGreaterThan(SIZE / 20);
    assertThat(inhabitants.values().stream().filter(count -> count < 5).count())
        .isGreaterThan(1_000);
  }

  @Test
  void placeName_isUnique() {
    assertThat(IntStream.range(0, 5_000).mapToObj(Population::placeName).distinct().count())
        .isEqualTo(5_000);
  }

  @Test
  void joined_growsWithTheNumber() {
    assertThat(IntStream.range(0, SIZE).mapToObj(i -> people.person(i).joined()).toList())
        .isSorted();
  }

  @Test
  void splitKeys_cutIntoEqualParts() {
    assertThat(people.splitKeys(4))
        .isDeepEqualTo(new byte[][] {Person.key(5_000), Person.key(10_000), Person.key(15_000)});
  }

  @Test
  void census_picksRareAnswers_whateverTheSize() {
    for (int size : List.of(1_000, SIZE, 100_000)) {
      Population all = new Population(size);
      Census census = new Census(all);
      String small = census.smallPlace();
      String city = census.cityWithFewBlocked();
      List<Person> persons = IntStream.range(0, size).mapToObj(all::person).toList();
      assertThat(persons.stream().filter(p -> p.city().equals(small)).count()).isEqualTo(5);
      assertThat(
              persons.stream()
                  .filter(p -> p.city().equals(city) && p.status().equals("blocked"))
                  .count())
          .isBetween(1L, 8L);
    }
  }
}
