/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.registry.RegionView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The holders that share the values, each of which another one may take the place of. */
final class HolderSet {
  private final ScaleWorld world;
  private final List<SimulatedHolder> current = new ArrayList<>();
  private long incarnations;

  HolderSet(ScaleWorld world) {
    this.world = world;
    for (int holder = 0; holder < world.settings.simulated(); holder++) {
      current.add(newHolder());
    }
  }

  private SimulatedHolder newHolder() {
    return new SimulatedHolder(world, ++incarnations);
  }

  SimulatedHolder current(int number) {
    return current.get(number);
  }

  List<SimulatedHolder> all() {
    return current;
  }

  /** Ends all holders; empty ones take their places after a gap. */
  void change() {
    current.forEach(SimulatedHolder::end);
    world.time.in(
        (long) (world.settings.holderGapMillis * VirtualTime.MILLI),
        () -> current.replaceAll(ended -> newHolder()));
  }

  /** How many regions are precise at every holder. */
  long precise() {
    Map<String, Integer> precise = new HashMap<>();
    for (SimulatedHolder holder : current) {
      for (RegionView view : holder.registry().regions(ScaleWorld.TABLE)) {
        if (view.isPrecise()) {
          precise.merge(view.region().encodedName(), 1, Integer::sum);
        }
      }
    }
    return precise.values().stream().filter(count -> count == current.size()).count();
  }
}
