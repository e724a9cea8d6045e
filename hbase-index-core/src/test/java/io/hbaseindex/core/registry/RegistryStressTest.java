/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.RegionReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many servers at once against one registry. Each server's messages, valid or not, are also given
 * to a registry that nobody else uses: as regions of different servers share no keys, both have to
 * answer the same, and in the end have the same bits. Meanwhile others ask for routes and copies.
 */
@Timeout(300)
class RegistryStressTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final FilterGeometry GEOMETRY = FilterGeometry.doubling(32, 1e-3);
  private static final int SERVERS = 4;
  private static final int REGIONS = 24;
  private static final int PUSHES = 1_500;
  private static final long LASTING = 1_000_000;

  private final ManualClock clock = new ManualClock();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final FilterRegistry shared = registry();

  @AfterEach
  void stopThreads() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  private FilterRegistry registry() {
    return new FilterRegistry(
        1, clock, TERMS, RegistryLimits.ofBytes(1L << 30), server -> true, now -> true);
  }

  @Test
  void manyServersAtOnce_answersAndBitsAreThoseOfEachByItself() throws Exception {
    List<Server> servers = new ArrayList<>();
    for (int server = 0; server < SERVERS; server++) {
      servers.add(new Server(server));
    }
    clock.passNanos(TERMS.seniorityNanos());
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch started = new CountDownLatch(1);
    List<Future<?>> writers = new ArrayList<>();
    for (Server server : servers) {
      writers.add(
          threads.submit(
              () -> {
                started.await();
                server.run();
                return null;
              }));
    }
    List<Future<Long>> readers = new ArrayList<>();
    for (int reader = 0; reader < 2; reader++) {
      readers.add(threads.submit(() -> read(servers, over)));
    }
    started.countDown();
    for (Future<?> writer : writers) {
      writer.get();
    }
    over.set(true);
    for (Future<Long> reader : readers) {
      assertThat(reader.get()).isPositive();
    }
    servers.forEach(Server::assertSameBits);
    assertThat(shared.answered().get(Verdict.TRUSTED)).isGreaterThan(PUSHES);
  }

  /** Whatever has been confirmed before a route starts is never excluded by it. */
  private long read(List<Server> servers, AtomicBoolean over) {
    SplittableRandom random = new SplittableRandom();
    long reads = 0;
    while (!over.get()) {
      Server server = servers.get(random.nextInt(servers.size()));
      Confirmed confirmed = server.confirmed.peek();
      if (confirmed != null) {
        RoutePredicate asked = new RoutePredicate.Element(INDEX, confirmed.element);
        assertThat(shared.route("t", asked).mayHold(confirmed.key)).isTrue();
        Optional<RegionCopy> copy = shared.copy("t", confirmed.key, Set.of());
        // The region may be closed just now; then the one behind it is copied.
        copy.filter(c -> c.filter() != null && c.range().contains(confirmed.key))
            .ifPresent(c -> assertThat(c.filter().mightContain(confirmed.element)).isTrue());
        reads++;
      }
    }
    return reads;
  }

  /** An element that stays in a region's filter from its confirmation on. */
  private record Confirmed(byte[] key, long element) {}

  /** One server: its regions, one after another changed at random, and its registry. */
  private final class Server {
    private final int number;
    private final SplittableRandom random;
    private final FilterRegistry alone = registry();
    private final List<Region> regions = new ArrayList<>();
    private final ConcurrentLinkedQueue<Confirmed> confirmed = new ConcurrentLinkedQueue<>();
    private long pushes;

    Server(int number) {
      this.number = number;
      this.random = new SplittableRandom(number);
    }

    void run() {
      for (int region = 0; region < REGIONS; region++) {
        regions.add(new Region(this, region));
      }
      for (int push = 0; push < PUSHES; push++) {
        Region region = regions.get(random.nextInt(REGIONS));
        region.change(random);
        if (confirmed.size() > 20) {
          confirmed.poll();
        }
      }
    }

    List<RegionReply> send(RegionMessage... messages) {
      LeaseToken token = new LeaseToken(1, clock.monotonicNanos(), clock.wallMillis());
      Push push = new Push("s" + number, ++pushes, token, 0, List.of(messages));
      List<RegionReply> replies = shared.apply(push).replies();
      assertThat(replies).isEqualTo(alone.apply(push).replies());
      return replies;
    }

    void assertSameBits() {
      for (Region region : regions) {
        byte[] key = region.range.start();
        RegionCopy one = shared.copy("t", key, Set.of()).orElseThrow();
        RegionCopy other = alone.copy("t", key, Set.of()).orElseThrow();
        assertThat(one.open()).isEqualTo(other.open());
        if (one.open() == null) {
          assertThat(one.version()).isEqualTo(other.version());
          for (long element = 0; element < 20_000; element++) {
            assertThat(one.filter().mightContain(element))
                .isEqualTo(other.filter().mightContain(element));
          }
        }
      }
    }
  }

  /** One region as its server knows it: what it holds, and what the registry has been told. */
  private static final class Region {
    private final Server server;
    private final RowRange range;
    private final int position;
    private int number;
    private long epoch;
    private long generation;
    private long page;
    private FilterChanges changes = new FilterChanges();
    private ScalableSplitCountingBloomFilter filter;
    private final List<Long> held = new ArrayList<>();

    /** Elements that are never taken out, so that readers may rely on them once confirmed. */
    private final List<Long> lasting = new ArrayList<>();

    Region(Server server, int position) {
      this.server = server;
      this.position = position;
      this.range = new RowRange(key(server.number, position), key(server.number, position + 1));
      open();
    }

    private static byte[] key(int server, int position) {
      return "%d%05d".formatted(server, position).getBytes();
    }

    void change(SplittableRandom random) {
      switch (random.nextInt(12)) {
        case 0 -> open();
        case 1 -> stage(random);
        case 2 -> server.send(new StayOpen(number, generation - 1, OpenReason.NOT_READY));
        case 3 -> server.send(new RenewTrust(number, generation, page + 1));
        case 4 -> server.send(new ApplyPage(number, generation + 3, 1, new FilterChanges()));
        default -> write(random);
      }
    }

    private void open() {
      if (number != 0) {
        server.send(new ReleaseRegion(number));
      }
      number = 1 + position + REGIONS * (int) ++epoch;
      generation = 0;
      held.clear();
      held.addAll(lasting);
      RegionIncarnation incarnation =
          new RegionIncarnation("t", "r" + server.number + "-" + position, 1, epoch, range);
      server.send(new OpenRegion(number, incarnation, 0));
      stage(server.random);
    }

    private void stage(SplittableRandom random) {
      filter = new ScalableSplitCountingBloomFilter(GEOMETRY, new Changes());
      held.forEach(filter::insert);
      for (int more = random.nextInt(200); more > 0; more--) {
        insert(random.nextLong(20_000));
      }
      FilterChunks chunks = new FilterChunks(filter.snapshot(), 64);
      changes = new FilterChanges();
      generation++;
      page = 0;
      for (int part = 0; part < chunks.count(); part++) {
        boolean last = part == chunks.count() - 1;
        server.send(
            new StageChunk(number, generation, part, last, List.of(INDEX), chunks.part(part)));
      }
      confirm(server.send(new RenewTrust(number, generation, 0)).get(0), null);
    }

    private void insert(long element) {
      filter.insert(element);
      held.add(element);
    }

    private void write(SplittableRandom random) {
      boolean lasts = random.nextInt(4) == 0;
      long element = lasts ? LASTING + server.pushes : random.nextLong(20_000);
      insert(element);
      if (lasts) {
        lasting.add(element);
      }
      long ended = held.get(random.nextInt(held.size()));
      if (ended < LASTING && random.nextBoolean()) {
        held.remove(ended);
        filter.delete(ended);
      }
      FilterChanges batch = changes;
      changes = new FilterChanges();
      List<RegionReply> replies =
          server.send(
              new ApplyPage(number, generation, ++page, batch),
              new RenewTrust(number, generation, page));
      confirm(replies.get(1), lasts ? element : null);
    }

    private void confirm(RegionReply reply, Long element) {
      if (reply.verdict() == Verdict.TRUSTED && element != null) {
        server.confirmed.add(new Confirmed(range.start(), element));
      }
    }

    /** Notes what the filter reports with the changes that are sent next. */
    private final class Changes implements FilterChangeListener {
      @Override
      public void segmentAdded(int segment, SizeClass sizeClass) {
        changes.segmentAdded(segment, sizeClass);
      }

      @Override
      public void bitSet(int segment, long position) {
        changes.bitSet(segment, position);
      }

      @Override
      public void elementSet(int segment, SizeClass sizeClass, long element, long slices) {
        changes.elementSet(segment, sizeClass, element, slices);
      }

      @Override
      public void bitCleared(int segment, long position) {
        changes.bitCleared(segment, position);
      }

      @Override
      public void segmentDropped(int segment) {
        changes.segmentDropped(segment);
      }
    }
  }
}
