/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.scale.virtual.CpuCosts.Call;
import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.publish.FilterStoring;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.WriteTicket;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.shard.Shards;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A region whose values come and go: each batch writes values that the region has not held before,
 * and ends as many of its oldest.
 */
final class SimulatedRegion {
  /** Values that a scan of postings looks at together. */
  private static final int SCAN_PAGE = 1_024;

  private final ScaleWorld world;
  private final int number;
  private final RegionShard[] shards;

  /** The shard that has the bounds; none of those that are simulated, if they have none. */
  private final int bounded;

  /** Values are numbered in the order in which they are written; these are live. */
  private long first;

  private long next;

  /** All values below this one, from {@code first} on, were acknowledged. */
  private long acknowledged;

  private SimulatedRegion(
      ScaleWorld world, int number, RegionShard[] shards, long first, long next) {
    this.world = world;
    this.number = number;
    this.shards = shards;
    this.bounded =
        world.settings.noRanges
            ? shards.length
            : Shards.ofBounds(Integer.toHexString(number), world.settings.holders);
    this.first = first;
    this.next = next;
    this.acknowledged = next;
  }

  /** Opens a region with a number of live values; it has no filter yet. */
  static SimulatedRegion open(ScaleWorld world, int number, List<HolderChannel> channels) {
    return open(world, number, channels, 1, 0, world.settings.values);
  }

  /** Opens the region again, on a server that was restarted. */
  SimulatedRegion reopen(List<HolderChannel> channels, long epoch) {
    return open(world, number, channels, epoch, first, next);
  }

  private static SimulatedRegion open(
      ScaleWorld world,
      int number,
      List<HolderChannel> channels,
      long epoch,
      long first,
      long next) {
    RegionIncarnation incarnation = incarnation(number, world.settings.allRegions(), epoch);
    RegionShard[] shards =
        channels.stream()
            .map(channel -> new RegionShard(world.time, channel, channel.open(incarnation)))
            .toArray(RegionShard[]::new);
    return new SimulatedRegion(world, number, shards, first, next);
  }

  /** A region of a table with some more of them. */
  static RegionIncarnation incarnation(int number, int regions, long epoch) {
    return new RegionIncarnation(
        ScaleWorld.TABLE,
        Integer.toHexString(number),
        number,
        epoch,
        new RowRange(
            number == 0 ? new byte[0] : key(number),
            number == regions - 1 ? new byte[0] : key(number + 1)));
  }

  /** A row key of the region with a number. */
  static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  /** A row key of the region. */
  byte[] key() {
    return key(number);
  }

  /** Builds the filters of the live values. */
  void fill() {
    for (int shard = 0; shard < shards.length; shard++) {
      int part = shard;
      world.costs.measure(
          Call.BUILD,
          () -> {
            shards[part].fill(() -> elements(first, next, part), () -> allBounds(part));
            return null;
          });
    }
  }

  /** Bytes of heap that the bounds take. */
  long boundsBytes() {
    return Arrays.stream(shards)
        .flatMap(shard -> shard.region().startStoring(Long.MAX_VALUE).stream())
        .map(FilterStoring::bounds)
        .mapToLong(RegionBounds::bytes)
        .sum();
  }

  /** A batch of writes begins; records how long it waits for the holders. */
  void write() {
    long from = next;
    long ended = first;
    next += world.settings.batchValues;
    first += world.settings.batchValues;
    new Batch(from, next, ended, first).begin();
  }

  /** The newest value that was acknowledged, as an element. */
  long acknowledgedElement() {
    return element(acknowledged - 1);
  }

  private long element(long value) {
    return BitMixer.mix(((long) number << 40) + value);
  }

  /** The bounds of some values, which are spread evenly: the worst there is for bounds. */
  private RegionBounds bounds(long from, long to) {
    return RegionBounds.ofValues(
        Map.of(
            ScaleWorld.COVERAGE.indexId(),
            LongStream.range(from, to).mapToObj(value -> bytes(element(value))).toList()));
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  /** The bounds of all live values, as a scan of the postings in their order puts them together. */
  private RegionBounds allBounds(int shard) {
    if (shard != bounded) {
      return RegionBounds.EVERYTHING;
    }
    List<byte[]> sorted =
        LongStream.range(first, next)
            .mapToObj(value -> bytes(element(value)))
            .sorted(Arrays::compareUnsigned)
            .toList();
    RegionBounds all = RegionBounds.NOTHING;
    for (int from = 0; from < sorted.size(); from += SCAN_PAGE) {
      List<byte[]> page = sorted.subList(from, Math.min(sorted.size(), from + SCAN_PAGE));
      RegionBounds values = RegionBounds.ofValues(Map.of(ScaleWorld.COVERAGE.indexId(), page));
      all = all.with(values, RegionBounds.MOST_BYTES);
    }
    return all.ofAll(List.of(ScaleWorld.COVERAGE.indexId()));
  }

  private long[] elements(long from, long to, int shard) {
    return LongStream.range(from, to)
        .map(this::element)
        .filter(element -> world.holderOf(element) == shard)
        .flatMap(element -> LongStream.generate(() -> element).limit(world.settings.rowsPerValue))
        .toArray();
  }

  /** Values that are written and others that they end, through the steps of the write path. */
  private final class Batch {
    private final long[][] started = new long[shards.length][];
    private final long[][] ended = new long[shards.length][];
    private final long[] phases = new long[shards.length];
    private final RegionBounds bounds;
    private final int[] touched;
    private final long last;
    private final long began = world.time.now();
    private int missing;

    Batch(long from, long to, long endedFrom, long endedTo) {
      this.last = to;
      for (int shard = 0; shard < shards.length; shard++) {
        started[shard] = elements(from, to, shard);
        ended[shard] = elements(endedFrom, endedTo, shard);
      }
      this.bounds = bounded < shards.length ? bounds(from, to) : RegionBounds.NOTHING;
      this.touched =
          IntStream.range(0, shards.length)
              .filter(shard -> shard == bounded || started[shard].length + ended[shard].length > 0)
              .toArray();
      this.missing = touched.length;
    }

    void begin() {
      for (int shard : touched) {
        PublishedRegion region = shards[shard].region();
        WriteTicket ticket =
            world.costs.measure(
                Call.INSERT,
                () -> {
                  phases[shard] = region.beginBatch();
                  return region.insert(
                      shard == bounded ? bounds : RegionBounds.NOTHING, started[shard]);
                });
        shards[shard].await(ticket, this::settled);
      }
    }

    private void settled() {
      missing--;
      if (missing > 0) {
        return;
      }
      world.traffic.waited(world.time.now() - began);
      acknowledged = Math.max(acknowledged, last);
      for (int shard : touched) {
        PublishedRegion region = shards[shard].region();
        region.delete(phases[shard], ScaleWorld.COVERAGE.space(), ended[shard]);
        region.endBatch(phases[shard]);
      }
    }
  }
}
