/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Invented people, the same ones every time: each has an e-mail address of their own; few cities
 * are large and many places small (the n-th has about 1/n of the first one's inhabitants); nearly
 * all are active.
 */
final class Population {
  private static final long FIRST_JOINED = 1_577_836_800_000L; // 2020
  private static final long ONE_MINUTE = 60_000;
  private static final int PLACES = 5_000;
  private static final int MOST_POINTS = 1_000;

  private static final String[] FIRST_NAMES =
      ("Ada Alan Anna Ben Carla David Elena Emil Fatma Felix Grace Hannah Ines Jan Karim Lena Lukas "
              + "Maria Mehmet Mia Nadia Noah Olga Paul Priya Rosa Samir Sofia Tom Vera Yuki Zoe")
          .split(" ");
  private static final String[] LAST_NAMES =
      ("Adler Bauer Becker Brandt Costa Demir Ebert Fischer Franke Garcia Haas Hoffmann Ivanov Jansen "
              + "Kaya Keller Klein Koch Kowalski Lang Lehmann Maier Meyer Novak Okafor Peters Richter "
              + "Rossi Sato Schmidt Silva Simon Stein Vogel Wagner Weber Winter Wolf Yilmaz Zimmermann")
          .split(" ");
  private static final String[] CITIES =
      ("Berlin Hamburg Munich Cologne Frankfurt Stuttgart Leipzig Dresden Bremen Hanover Nuremberg "
              + "Bonn Mannheim Karlsruhe Augsburg Kiel Erfurt Mainz Kassel Rostock Potsdam Ulm "
              + "Regensburg Jena Trier Fulda Passau Weimar Celle Speyer")
          .split(" ");
  private static final String[] PREFIXES =
      "Ober Unter Neu Alt Gross Klein Hohen Nieder Bad- Sankt-".split(" ");
  private static final String[] STEMS =
      ("Ahren Birken Buchen Eichen Erlen Falken Forst Gold Hagen Heide Kirch Linden Lauter Marien "
              + "Mohren Rosen Rot Schwarzen Stein Tannen Ulmen Weiden Weissen Wiesen Wolfs")
          .split(" ");
  private static final String[] SUFFIXES =
      "bach berg brunn burg dorf feld hausen heim stadt tal au furt hof ried see wald walde werder kirchen ingen"
          .split(" ");

  private final int size;
  private final double[] upToPlace = new double[PLACES];

  Population(int size) {
    this.size = size;
    double sum = 0;
    for (int place = 0; place < PLACES; place++) {
      sum += 1.0 / (place + 1);
      upToPlace[place] = sum;
    }
  }

  int size() {
    return size;
  }

  Person person(int number) {
    // Seeds that follow one another give first draws that do too: spread them.
    Random random = new Random(number * 0x9E3779B97F4A7C15L);
    random.nextInt();
    String first = FIRST_NAMES[random.nextInt(FIRST_NAMES.length)];
    String last = LAST_NAMES[random.nextInt(LAST_NAMES.length)];
    String email = (first + "." + last).toLowerCase(Locale.ROOT) + number + "@mail.example";
    long joined = FIRST_JOINED + number * ONE_MINUTE + random.nextInt((int) ONE_MINUTE);
    String city = city(random);
    String status = status(random);
    long points = random.nextInt(MOST_POINTS);
    return new Person(number, first + " " + last, email, city, status, joined, points);
  }

  /** Keys that cut the table into regions with equally many people. */
  byte[][] splitKeys(int regions) {
    return IntStream.range(1, regions)
        .mapToObj(i -> Person.key((int) ((long) size * i / regions)))
        .toArray(byte[][]::new);
  }

  private String city(Random random) {
    double drawn = random.nextDouble() * upToPlace[PLACES - 1];
    int place = Arrays.binarySearch(upToPlace, drawn);
    return placeName(place >= 0 ? place : -place - 1);
  }

  /** The larger places, the largest first. */
  static Set<String> cities() {
    return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(CITIES)));
  }

  static String placeName(int place) {
    if (place < CITIES.length) {
      return CITIES[place];
    }
    int n = place - CITIES.length;
    String suffix = SUFFIXES[n % SUFFIXES.length];
    String stem = STEMS[n / SUFFIXES.length % STEMS.length];
    String prefix = PREFIXES[n / SUFFIXES.length / STEMS.length];
    return prefix.endsWith("-")
        ? prefix.replace('-', ' ') + stem + suffix
        : prefix + stem.toLowerCase(Locale.ROOT) + suffix;
  }

  private static String status(Random random) {
    int percent = random.nextInt(100);
    return percent < 90 ? "active" : percent < 97 ? "dormant" : percent < 99 ? "closed" : "blocked";
  }
}
