/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.push.RegionNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A region server with its regions, which writes come to at random moments. */
final class SimulatedServer {
  /** Within this time all regions of a server are open. */
  private static final long OPENING_NANOS = 2 * VirtualTime.SECOND;

  private final ScaleWorld world;
  private final int number;
  private final HolderSet holders;
  private List<HolderChannel> channels;
  private List<SimulatedRegion> regions = new ArrayList<>();
  private PagedMemory memory;
  private int process;

  SimulatedServer(ScaleWorld world, int number, HolderSet holders) {
    this.world = world;
    this.number = number;
    this.holders = holders;
    startProcess();
  }

  private void startProcess() {
    world.online.remove(name());
    process++;
    world.online.add(name());
    RegionNumbers numbers = new RegionNumbers(0);
    memory = PagedMemory.direct(Long.MAX_VALUE);
    channels =
        IntStream.range(0, world.settings.simulated())
            .mapToObj(
                holder ->
                    new HolderChannel(
                        world, name(), numbers, memory, () -> holders.current(holder)))
            .toList();
  }

  private String name() {
    return "server" + number + ",16020," + process;
  }

  /** Opens its regions one by one, as HBase does, and begins to speak and to be written to. */
  void start() {
    int firstRegion = number * world.settings.regions;
    for (int region = 0; region < world.settings.regions; region++) {
      int opened = firstRegion + region;
      world.time.in(world.random.nextLong(OPENING_NANOS), () -> open(opened));
    }
    speak();
    if (world.settings.batches > 0) {
      world.time.in(OPENING_NANOS + untilNextBatch(), this::write);
    }
  }

  /** Opens all its regions at once. */
  void openAll() {
    for (int region = 0; region < world.settings.regions; region++) {
      open(number * world.settings.regions + region);
    }
  }

  /** Begins to speak to the holders. */
  void speak() {
    channels.forEach(HolderChannel::look);
  }

  private void open(int region) {
    SimulatedRegion opened = SimulatedRegion.open(world, region, channels);
    opened.fill();
    regions.add(opened);
  }

  private void write() {
    regions.get(world.random.nextInt(regions.size())).write();
    world.time.in(untilNextBatch(), this::write);
  }

  private long untilNextBatch() {
    return (long) (world.random.nextExponential() / world.settings.batches * VirtualTime.SECOND);
  }

  /**
   * The process ends and another one opens the same regions, whose filters it builds one by one.
   */
  void restart() {
    channels.forEach(HolderChannel::end);
    startProcess();
    long epoch = process;
    regions = new ArrayList<>(regions.stream().map(r -> r.reopen(channels, epoch)).toList());
    speak();
    double seconds = 0;
    for (SimulatedRegion region : regions) {
      seconds += world.settings.values / world.settings.rebuildRate;
      world.time.in((long) (seconds * VirtualTime.SECOND), region::fill);
    }
  }

  List<SimulatedRegion> regions() {
    return regions;
  }

  List<HolderChannel> channels() {
    return channels;
  }

  /** Bytes that filters take on this server, and their bounds. */
  long filterBytes() {
    return memory.takenBytes() + regions.stream().mapToLong(SimulatedRegion::boundsBytes).sum();
  }
}
