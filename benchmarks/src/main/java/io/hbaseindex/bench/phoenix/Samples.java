/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** All that was measured; figures are medians of the rounds, relative to the first contender. */
final class Samples {
  private final List<Contender> contenders;
  private final Map<String, Map<Contender, List<Sample>>> byMeasure = new LinkedHashMap<>();
  private final Map<Contender, List<Double>> logBytes = new HashMap<>();
  private final Map<Contender, Double> diskBytes = new HashMap<>();
  private final Map<Contender, Double> filterBytes = new HashMap<>();
  private final Map<Contender, Double> settled = new HashMap<>();
  private final Map<Contender, Integer> failures = new HashMap<>();

  Samples(List<Contender> contenders) {
    this.contenders = contenders;
  }

  static String nameOf(CustomerQuestion question, int askers) {
    return question.label() + ", " + askers(askers);
  }

  static String askers(int number) {
    return number == 1 ? "1 asker" : number + " askers";
  }

  List<Contender> contenders() {
    return contenders;
  }

  void add(String measure, Contender contender, Sample sample) {
    byMeasure
        .computeIfAbsent(measure, any -> new HashMap<>())
        .computeIfAbsent(contender, any -> new ArrayList<>())
        .add(sample);
  }

  void logBytes(Contender contender, double perRow) {
    logBytes.computeIfAbsent(contender, any -> new ArrayList<>()).add(perRow);
  }

  void diskBytes(Contender contender, double perRow) {
    diskBytes.put(contender, perRow);
  }

  void filterBytes(Contender contender, double perRow) {
    filterBytes.put(contender, perRow);
  }

  double filterBytes(Contender contender) {
    return filterBytes.get(contender);
  }

  void failed(Contender contender) {
    failures.merge(contender, 1, Integer::sum);
  }

  int failures(Contender contender) {
    return failures.getOrDefault(contender, 0);
  }

  void settled(Contender contender, double seconds) {
    settled.put(contender, seconds);
  }

  double settled(Contender contender) {
    return settled.get(contender);
  }

  double logBytes(Contender contender) {
    return median(logBytes.get(contender));
  }

  double diskBytes(Contender contender) {
    return diskBytes.get(contender);
  }

  boolean has(String measure) {
    return byMeasure.containsKey(measure);
  }

  /** The median of a figure over the rounds. */
  double of(String measure, Contender contender, ToDoubleFunction<Sample> figure) {
    return median(
        byMeasure.get(measure).get(contender).stream().map(figure::applyAsDouble).toList());
  }

  /** How many times as fast as the first contender in the same round; the median of the rounds. */
  double ratio(String measure, Contender contender) {
    List<Sample> own = byMeasure.get(measure).get(contender);
    List<Sample> base = byMeasure.get(measure).get(contenders.get(0));
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < own.size(); round++) {
      ratios.add(own.get(round).perSecond() / base.get(round).perSecond());
    }
    return median(ratios);
  }

  private static double median(List<Double> figures) {
    List<Double> sorted = new ArrayList<>(figures);
    sorted.sort(null);
    return sorted.get(sorted.size() / 2);
  }
}
