/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A scenario with a name: options that count unless they are given, too. */
enum ScalePreset {
  BUSY_100X50("busy-100x50", "--servers=100 --regions=5 --batches=50"),
  BUSY_20X500("busy-20x500", "--servers=20 --regions=20 --batches=500"),
  MASTER_CHANGE_100(
      "master-change-100", "--servers=100 --regions=5 --batches=50 --holder-change=1 --seconds=31"),
  IDLE_200_REGIONS(
      "idle-200-regions", "--servers=1 --regions=200 --values=2000 --batches=0 --seconds=60"),
  THOUSAND_SERVERS(
      "thousand-servers",
      "--servers=1000 --regions=5 --values=20000 --batches=50 --holders=64 --simulated-holders=2"
          + " --holder-change=5 --seconds=20"),
  THOUSAND_SERVERS_BUSY(
      "thousand-servers-busy",
      "--servers=1000 --regions=5 --values=20000 --batches=50 --holders=64 --simulated-holders=2"
          + " --seconds=10"),
  LOCK_HOLDS(
      "lock-holds",
      "--servers=4 --regions=10 --values=500000 --batches=50 --holder-change=2 --seconds=12"),
  MEMORY("memory", "--servers=1 --regions=4 --values=1000000") {
    @Override
    ScaleOutcome measure(ScaleSettings settings) {
      return new FilterMemory(settings).measure();
    }
  },
  ROUTE_1000_REGIONS("route-1000-regions", "--servers=10 --regions=100 --values=1000000") {
    @Override
    ScaleOutcome measure(ScaleSettings settings) {
      return new RouteTimes(settings).measure();
    }
  };

  private final String label;
  private final String options;

  ScalePreset(String label, String options) {
    this.label = label;
    this.options = options;
  }

  /** Measures what the scenario is about; a simulated cluster, unless it says otherwise. */
  ScaleOutcome measure(ScaleSettings settings) {
    return ScaleSimulation.outcome(settings);
  }

  String label() {
    return label;
  }

  /** The options as they would be typed. */
  String options() {
    return options;
  }

  List<String> arguments() {
    return Arrays.asList(options.split(" "));
  }

  static Optional<ScalePreset> find(String label) {
    return Arrays.stream(values()).filter(preset -> preset.label.equals(label)).findFirst();
  }
}
