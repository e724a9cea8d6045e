/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What bin/chaos was told.
 *
 * @param minutes how long servers and table are broken
 * @param seed what all random choices are drawn from
 * @param rate operations in a second, of all clients together
 * @param directory for data, logs, history and report
 * @param network where bin/namespaces keeps its own; empty if it may not be used
 * @param faketime the library that steps clocks; empty if it is not installed
 * @param without kinds of faults that are left out
 * @param staleness how old, in ms, the filters may be that strong reads are routed by: a saboteur,
 *     which the run must find out
 */
record ChaosOptions(
    double minutes,
    long seed,
    int rate,
    Path directory,
    Optional<Path> network,
    Optional<String> faketime,
    Set<String> without,
    long staleness) {

  private static final Set<String> KNOWN =
      Set.of(
          "--minutes",
          "--seed",
          "--rate",
          "--dir",
          "--network",
          "--faketime",
          "--without",
          "--staleness");

  static ChaosOptions parse(String... arguments) {
    Map<String, String> given = new HashMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (!KNOWN.contains(arguments[i]) || i + 1 == arguments.length) {
        throw new IllegalArgumentException(
            "Cannot understand %s; see bin/chaos --help".formatted(arguments[i]));
      }
      given.put(arguments[i], arguments[i + 1]);
    }
    Set<String> without = new TreeSet<>();
    for (String kind : given.getOrDefault("--without", "").split(",")) {
      without.add(kind.strip());
    }
    return new ChaosOptions(
        Double.parseDouble(given.getOrDefault("--minutes", "2")),
        Long.parseLong(given.getOrDefault("--seed", "1")),
        Integer.parseInt(given.getOrDefault("--rate", "100")),
        Path.of(given.get("--dir")),
        Optional.ofNullable(given.get("--network")).map(Path::of),
        Optional.ofNullable(given.get("--faketime")),
        without,
        Long.parseLong(given.getOrDefault("--staleness", "0")));
  }
}
