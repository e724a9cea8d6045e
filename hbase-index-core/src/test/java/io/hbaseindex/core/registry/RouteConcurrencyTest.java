/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.ManualClock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Routes run without a lock while regions come, go and change their filters. */
class RouteConcurrencyTest {
  private static final int REGIONS = 8;
  private static final int PUSHES = 4_000;
  private static final int READERS = 3;
  private static final IndexCoverage INDEX = new IndexCoverage(1, 1, 7, 0);
  private static final LeaseTerms TERMS = LeaseTerms.standard();

  private final ManualClock clock = new ManualClock();
  private final AtomicBoolean done = new AtomicBoolean();
  private FilterRegistry registry;

  /** Every incarnation of a region holds its element, and no other region does. */
  private static long elementOf(int region) {
    return 1_000 + region;
  }

  @Test
  void routesWhileRegionsChange_neverExcludeWhatIsAlwaysThere() throws Exception {
    registry =
        new FilterRegistry(
            1, clock, TERMS, RegistryLimits.ofBytes(1 << 24), server -> true, now -> true);
    clock.passNanos(TERMS.seniorityNanos());
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<Long>> excluded =
          IntStream.range(0, READERS)
              .mapToObj(reader -> readers.submit((Callable<Long>) () -> read(reader)))
              .toList();
      try {
        change();
      } finally {
        done.set(true);
      }
      long proofs = 0;
      for (Future<Long> one : excluded) {
        proofs += one.get(1, TimeUnit.MINUTES);
      }
      assertThat(proofs).as("regions excluded meanwhile").isPositive();
    } finally {
      readers.shutdownNow();
    }
  }

  private long read(int reader) {
    SplittableRandom random = new SplittableRandom(reader);
    long excluded = 0;
    while (!done.get()) {
      int region = random.nextInt(REGIONS);
      RouteAnswer answer =
          registry.route("t", new RoutePredicate.Element(INDEX, elementOf(region)));
      assertThat(answer.mayHold(new byte[] {(byte) (10 * region + 5)})).isTrue();
      excluded += answer.excluded();
    }
    return excluded;
  }

  private void change() {
    SplittableRandom random = new SplittableRandom(42);
    int[] numbers = new int[REGIONS];
    long[] generations = new long[REGIONS];
    int lastNumber = 0;
    for (int push = 0; push < PUSHES; push++) {
      int region = random.nextInt(REGIONS);
      int number = numbers[region];
      LeaseToken token = send(null).token();
      switch (random.nextInt(4)) {
        case 0 -> {
          numbers[region] = ++lastNumber;
          send(token, new OpenRegion(lastNumber, incarnation(region, lastNumber), 0));
        }
        case 1 -> send(token, new StayOpen(number, generations[region], OpenReason.SLOW_MASTER));
        case 2 -> {
          long generation = ++generations[region];
          send(token, whole(number, generation, region, random));
          send(token, new RenewTrust(number, generation, 0));
        }
        default -> {
          if (random.nextInt(8) == 0) {
            send(token, new ReleaseRegion(number));
          } else {
            send(token, new RenewTrust(number, generations[region], 0));
          }
        }
      }
    }
  }

  private PushReply send(LeaseToken token, RegionMessage... messages) {
    return registry.apply(new Push("s", 1, token, 0, List.of(messages)));
  }

  private static RegionIncarnation incarnation(int region, long epoch) {
    byte[] start = {(byte) (10 * region)};
    byte[] end = {(byte) (10 * region + 10)};
    return new RegionIncarnation("t", "r" + region, 1, epoch, new RowRange(start, end));
  }

  private static StageChunk whole(
      int number, long generation, int region, SplittableRandom random) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.doubling(16, 1e-4), FilterChangeListener.NONE);
    filter.insert(elementOf(region));
    for (int noise = random.nextInt(40); noise > 0; noise--) {
      filter.insert(random.nextLong());
    }
    List<SegmentPiece> pieces = new FilterChunks(filter.snapshot(), 1 << 20).part(0);
    return new StageChunk(number, generation, 0, true, List.of(INDEX), pieces);
  }
}
