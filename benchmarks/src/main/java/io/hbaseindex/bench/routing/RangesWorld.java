/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.routing;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.PostingBounds;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.wire.PushCodec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Regions of one table, published to one registry in virtual time. */
final class RangesWorld {
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final int PAGE = 5_000;
  private static final int WRITES = 20_000;
  private static final int WRITES_PER_PUSH = 10;

  /** What a write costs its region server. */
  record Cost(double nanosPerWrite, double bytesPerWrite) {}

  private static final class Clock implements MachineClock {
    private long nanos = 1;

    @Override
    public long monotonicNanos() {
      return nanos;
    }

    @Override
    public long wallMillis() {
      return nanos / 1_000_000;
    }
  }

  private final Clock clock = new Clock();
  private final IndexRowKeys keys =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[32]).orElseThrow();
  private final FilterRegistry registry =
      new FilterRegistry(
          99, clock, TERMS, RegistryLimits.ofBytes(1L << 30), server -> true, at -> true);
  private final ServerPublisher publisher =
      new ServerPublisher("s,1,1", new RegionNumbers(1), clock, TERMS, PublishLimits.standard());
  private final Random elements = new Random(5);
  private int published;
  private long bytesPushed;

  /** Builds the filter of the next region of the table and has it published. */
  PublishedRegion publish(int number, TreeSet<byte[]> values) {
    PublishedRegion region =
        publisher.open(
            new RegionIncarnation("t", "r" + number, 1, 1, rangeOf(number)),
            FilterGeometry.standard());
    region.startRebuild(values.size());
    RegionBounds bounds = RegionBounds.NOTHING;
    List<byte[]> page = new ArrayList<>();
    for (byte[] value : values) {
      page.add(posting(value));
      region.scanned(elements.nextLong());
      if (page.size() == PAGE) {
        bounds = bounds.with(PostingBounds.of(keys, index -> true, page), RegionBounds.MOST_BYTES);
        page.clear();
      }
    }
    bounds = bounds.with(PostingBounds.of(keys, index -> true, page), RegionBounds.MOST_BYTES);
    region.completeRebuild(List.of(INDEX), bounds.ofAll(List.of(1)));
    while (!region.status().trusted()) {
      push();
      clock.nanos += TERMS.heartbeatNanos() / 4;
    }
    published = Math.max(published, number + 1);
    return region;
  }

  private static RowRange rangeOf(int region) {
    return new RowRange(region == 0 ? new byte[0] : key(region), key(region + 1));
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private byte[] posting(byte[] value) {
    return keys.key(1, List.of(value), new byte[] {'r'});
  }

  private void push() {
    Optional<Push> push = publisher.poll();
    if (push.isPresent()) {
      bytesPushed += PushCodec.encode(push.get()).length;
      publisher.onReply(registry.apply(push.get()));
    }
  }

  /** All regions are trusted while this is asked: time stands still. */
  RouteAnswer route(ValueRange range) {
    return registry.route("t", new RoutePredicate.Range(INDEX, range));
  }

  /** The numbers of the regions that an answer leaves. */
  List<Integer> regionsOf(RouteAnswer answer) {
    List<Integer> regions = new ArrayList<>();
    for (RouteAnswer.Candidate candidate : answer.candidates()) {
      byte[] start = candidate.range().start();
      int first = start.length == 0 ? 0 : ByteBuffer.wrap(start).getInt();
      byte[] end = candidate.range().end();
      int last = end.length == 0 ? published : ByteBuffer.wrap(end).getInt();
      for (int region = first; region < Math.min(last, published); region++) {
        regions.add(region);
      }
    }
    return regions;
  }

  /** Time of the processor, which other programs on the machine do not lengthen. */
  static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Bytes that the registry has of the bounds of all regions. */
  long bytesOfBounds() {
    long bytes = 0;
    for (int region = 0; region < published; region++) {
      byte[] start = rangeOf(region).start();
      bytes += registry.copy("t", start, Set.of()).orElseThrow().bounds().bytes();
    }
    return bytes;
  }

  /** Writes new values to one region, which are pushed by tens. */
  static Cost writeCost(ValueKind kind, int values, boolean withBounds, Random random) {
    RangesWorld world = new RangesWorld();
    TreeSet<byte[]> present = new TreeSet<>(Arrays::compareUnsigned);
    while (present.size() < values) {
      present.add(kind.next(random, 0, 1));
    }
    PublishedRegion region = world.publish(0, present);
    List<byte[]> postings = new ArrayList<>();
    for (int at = 0; at < WRITES; at++) {
      postings.add(world.posting(kind.next(random, 0, 1)));
    }
    world.bytesPushed = 0;
    long nanos = 0;
    for (int from = 0; from < WRITES; from += WRITES_PER_PUSH) {
      long started = cpuNanos();
      for (byte[] posting : postings.subList(from, from + WRITES_PER_PUSH)) {
        long element = world.elements.nextLong();
        region.insert(PostingBounds.of(world.keys, index -> withBounds, List.of(posting)), element);
      }
      nanos += cpuNanos() - started;
      world.push();
      world.clock.nanos += 1_000_000;
    }
    return new Cost(1.0 * nanos / WRITES, 1.0 * world.bytesPushed / WRITES);
  }
}
