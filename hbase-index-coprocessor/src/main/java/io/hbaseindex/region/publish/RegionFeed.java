/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingElements;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.PostingBounds;
import io.hbaseindex.core.shard.ShardedBatch;
import io.hbaseindex.core.shard.ShardedRegion;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.context.FilterCustody;
import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.context.Frequencies;
import io.hbaseindex.region.context.OpenedRegion;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.RegionMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The published filter of one open, indexed region: fed by the write path, built in the background,
 * released when the region closes.
 */
@InterfaceAudience.Private
public final class RegionFeed implements FilterFeed, Frequencies {
  private static final Logger LOG = LoggerFactory.getLogger(RegionFeed.class);

  /**
   * Filters take an eighth of the size of the heap unless set otherwise, beside the heap: as much
   * as the master gives them, and within what a process may take of direct memory by default.
   */
  private static final int HEAP_SHARE = 8;

  private final String name;
  private final PublishingThread server;
  private final String table;
  private final ShardedRegion region;
  private final IndexRowKeys keys;
  private final Map<Integer, PostingElements> elements;

  /** The indexes of which ranges are routed. */
  private final Set<Integer> ranged = new HashSet<>();

  private final LongSupplier latestStamp;
  private final FilterKeeper keeper;
  private final FilterUpkeep upkeep;
  private final Runnable watch;
  private final LongSupplier nanoClock;
  private final long openingUntil;

  private RegionFeed(
      String name,
      PublishingThread server,
      ShardedRegion region,
      RegionIndexes indexes,
      LongSupplier nanoClock,
      long openingNanos,
      Supplier<FilterGeometry> geometry,
      FilterCustody custody,
      PublishMetrics metrics,
      RegionMetrics counts,
      Runnable watch) {
    this.name = name;
    this.server = server;
    this.region = region;
    this.table = indexes.region().getTableDescriptor().getTableName().getNameAsString();
    this.nanoClock = nanoClock;
    this.openingUntil = nanoClock.getAsLong() + openingNanos;
    this.keys = indexes.keys();
    this.elements = new HashMap<>();
    for (IndexDefinition index : indexes.definitions().definitions()) {
      elements.put(index.id(), PostingElements.of(indexes.definitions().seed(), index));
      if (index.routesRanges()) {
        ranged.add(index.id());
      }
    }
    HRegion hosted = (HRegion) indexes.region();
    this.latestStamp = indexes.clock()::latest;
    LivePostings postings =
        new LivePostings(
            hosted, keys, ranged::contains, rows -> elementsOf(rows).hashes(), indexes.metrics());
    this.keeper =
        new FilterKeeper(
            new FilterKeeper.Identity(name, incarnationOf(hosted), geometry.get()),
            region,
            postings,
            FilterFiles.of(hosted),
            custody,
            () -> ThreadLocalRandom.current().nextLong(),
            metrics);
    this.upkeep =
        new FilterUpkeep(
            name,
            region,
            postings,
            demand(indexes, counts, geometry),
            nanoClock,
            metrics,
            keeper,
            TimeUnit.NANOSECONDS::sleep);
    server.upkeep(upkeep);
    this.watch = watch;
    server.watch(watch);
  }

  /**
   * Begins to publish the filter of a region that has just opened.
   *
   * @param server the region server's own configuration; the region's is a view of several that
   *     cannot be copied into one for a connection
   * @param custody knows which stored filter belongs to the region's files
   * @param counts what is counted of the region since it opened
   * @param fed whether writes are told to the filter; not yet, perhaps, while the region is being
   *     given an observer
   * @param starved told when they no longer are
   */
  public static RegionFeed of(
      RegionCoprocessorEnvironment env,
      Configuration server,
      RegionIndexes indexes,
      FilterCustody custody,
      RegionMetrics counts,
      MachineClock clock,
      BooleanSupplier fed,
      Runnable starved)
      throws IOException {
    RegionInfo info = env.getRegionInfo();
    RegionIncarnation incarnation = OpenedRegion.incarnation(env, server);
    LeaseTerms terms = leaseTerms(server);
    PublishMetrics metrics = new PublishMetrics(IndexRegistry.ofRegionServer());
    PublishingThread publishing =
        PublishingThread.acquire(
            env.getSharedData(),
            env.getServerName().toString(),
            clock,
            terms,
            filterBytes(server),
            BackgroundWork.threads(server),
            MasterChannel.channels(
                server,
                Duration.ofNanos(terms.leaseNanos()).toMillis(),
                metrics,
                clock::monotonicNanos),
            layoutWatch(env),
            () -> metrics);
    Supplier<FilterGeometry> geometry = geometry(env.getConfiguration(), info, publishing);
    long opened = clock.monotonicNanos();
    ShardedRegion published =
        new ShardedRegion(
            incarnation.encodedName(),
            publishing.layout().places(incarnation.table()),
            place ->
                stamped(
                    publishing.open(
                        place.holder(), incarnation.ofTable(place.name()), geometry.get(), opened),
                    indexes));
    return new RegionFeed(
        info.getRegionNameAsString(),
        publishing,
        published,
        indexes,
        clock::monotonicNanos,
        terms.openingNanos(),
        geometry,
        custody,
        metrics,
        counts,
        new FeedWatch(fed, starved));
  }

  private static ShardedRegion.Part stamped(ShardedRegion.Part part, RegionIndexes indexes) {
    part.region().stampBy(indexes.clock()::latest);
    return part;
  }

  @SuppressWarnings("deprecation") // the only way to the server's own connection in HBase 2
  private static LayoutWatch layoutWatch(RegionCoprocessorEnvironment env) {
    return env instanceof HasRegionServerServices server
        ? LayoutWatch.through(server.getRegionServerServices().getZooKeeper())
        : LayoutWatch.ofMaster();
  }

  /** Keeps the filter where the cluster keeps filters now. */
  private void follow() {
    if (region.moveTo(server.layout().places(table))) {
      LOG.info("The filter of {} moves: {}", name, server.layout().text());
      keeper.cutAnew();
      upkeep.rebuildSoon();
      server.wake();
    }
  }

  private static long incarnationOf(HRegion region) {
    byte[] name = region.getRegionInfo().getEncodedName().getBytes(StandardCharsets.US_ASCII);
    return IndexRowKeys.incarnationOf(name);
  }

  /**
   * Whether a region publishes its filter, which the server's configuration or the table's
   * descriptor may turn off.
   */
  public static boolean isEnabled(Configuration conf) {
    return conf.getBoolean(IndexSettings.PUBLISH_ENABLED, true);
  }

  /** What does not make sense costs precision at most, and must not keep a region from opening. */
  private static Supplier<FilterGeometry> geometry(
      Configuration conf, RegionInfo region, PublishingThread publishing) {
    if (conf.get(IndexSettings.FILTER_ERROR) != null) {
      try {
        double error = conf.getDouble(IndexSettings.FILTER_ERROR, FilterGeometry.DEFAULT_ERROR);
        FilterGeometry set = FilterGeometry.doubling(FilterGeometry.DEFAULT_FIRST_CAPACITY, error);
        return () -> set;
      } catch (IllegalArgumentException e) {
        LOG.error(
            "Cannot use {} = {} in {}: {}; choosing one",
            IndexSettings.FILTER_ERROR,
            conf.get(IndexSettings.FILTER_ERROR),
            region.getRegionNameAsString(),
            e.getMessage());
      }
    }
    return () -> publishing.geometryOf(region.getTable().getNameAsString());
  }

  /** The bound is of all regions of the server; a table cannot have its own. */
  private static long filterBytes(Configuration server) {
    long share = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    return Math.max(0, server.getLong(IndexSettings.PUBLISH_FILTER_BYTES, share));
  }

  /** A lease is an agreement of servers and masters; a table cannot have its own. */
  static LeaseTerms leaseTerms(Configuration server) {
    long standard = Duration.ofNanos(LeaseTerms.standard().leaseNanos()).toMillis();
    return LeaseTerms.ofLease(
        Duration.ofMillis(server.getLong(IndexSettings.PUBLISH_LEASE_MS, standard)));
  }

  private FilterUpkeep.Demand demand(
      RegionIndexes indexes, RegionMetrics counts, Supplier<FilterGeometry> geometry) {
    return new FilterUpkeep.Demand() {
      private volatile Shaped shaped = Shaped.by(indexes.region().getTableDescriptor());

      /** Asked twice a second. */
      @Override
      public Map<IndexCoverage, Object> ready() {
        TableDescriptor now = indexes.region().getTableDescriptor();
        if (shaped.by != now) {
          shaped = Shaped.by(now);
        }
        return readyIndexes(indexes, shaped.shape);
      }

      @Override
      public void follow() {
        RegionFeed.this.follow();
      }

      @Override
      public long asked() {
        return counts.value(IndexCounter.SCANS_JUMPED);
      }

      @Override
      public long askedInVain() {
        return counts.value(IndexCounter.SCANS_IN_VAIN);
      }

      @Override
      public FilterGeometry geometry() {
        return geometry.get();
      }
    };
  }

  /** A descriptor and its shape, which takes longer to read than all else that is looked at. */
  private record Shaped(TableDescriptor by, long shape) {
    static Shaped by(TableDescriptor descriptor) {
      return new Shaped(descriptor, TableShape.of(descriptor));
    }
  }

  private static Map<IndexCoverage, Object> readyIndexes(RegionIndexes indexes, long shape) {
    Map<IndexCoverage, Object> ready = new LinkedHashMap<>();
    long seed = indexes.definitions().seed();
    for (IndexDefinition index : indexes.definitions().definitions()) {
      indexes
          .readiness()
          .token(index.id())
          .ifPresent(
              token -> coverage(index, seed, shape).forEach(covered -> ready.put(covered, token)));
    }
    return ready;
  }

  private static Stream<IndexCoverage> coverage(IndexDefinition index, long seed, long shape) {
    return index.routes().stream()
        .map(set -> new IndexCoverage(set.space(index.id()), index.version(), seed, shape));
  }

  @Override
  public boolean isFollowing() {
    return true;
  }

  /** Such a batch waits like others, but no rebuild of the filter has to wait for its end. */
  @Override
  public Step beginUnindexed() {
    if (!isOpening()) {
      return Step.NONE;
    }
    BooleanSupplier settled = region.passing();
    server.sendNow(region.holders());
    return () -> await(settled);
  }

  private boolean isOpening() {
    return openingUntil - nanoClock.getAsLong() > 0;
  }

  private void await(BooleanSupplier settled) {
    if (!settled.getAsBoolean() && !server.await(settled)) {
      LOG.error("A write of {} was not settled within twice the lease", name);
    }
  }

  @Override
  public Step begin(Collection<byte[]> started, Collection<byte[]> kept, Collection<byte[]> ended) {
    Elements ending = elementsOf(ended);
    List<byte[]> live = new ArrayList<>(started);
    live.addAll(kept);
    ShardedBatch batch =
        region.begin(
            elementsOf(started).hashes(),
            elementsOf(kept).hashes(),
            ending.hashes(),
            PostingBounds.of(keys, ranged::contains, live),
            isOpening());
    if (!batch.isSettled()) {
      server.sendNow(batch.holders());
    }
    return new BatchStep(batch, ending);
  }

  /** Elements, each with the space of its set of columns at the same place. */
  private record Elements(long[] spaces, long[] hashes) {}

  /** All elements of some postings: whatever is done with a posting is done with all of them. */
  private Elements elementsOf(Collection<byte[]> indexRows) {
    LongStream.Builder spaces = LongStream.builder();
    LongStream.Builder hashes = LongStream.builder();
    for (byte[] indexRow : indexRows) {
      elements
          .get(keys.indexIdOf(indexRow, 0, indexRow.length))
          .ofKey(
              keys,
              indexRow,
              (space, element) -> {
                spaces.add(space);
                hashes.add(element);
              });
    }
    return new Elements(spaces.build().toArray(), hashes.build().toArray());
  }

  @Override
  public OptionalLong of(IndexDefinition index, RouteSet set, List<byte[]> forms) {
    if (!index.isEager()) {
      return OptionalLong.empty(); // a lazy index is counted with each write, and never less
    }
    long element = elements.get(index.id()).ofForms(set, forms);
    return region.count(set.space(index.id()), element);
  }

  /** Passes on what clients ask the master about the region's table. */
  public TableRelay relay(TableDescriptor table) {
    return new TableRelay(table, server.relay());
  }

  /** Hundredths of the postings that a rebuild has gone through; empty if none is under way. */
  public OptionalInt rebuildProgress() {
    return upkeep.progress();
  }

  /**
   * The postings are about to stop telling the whole truth, for example by a bulk load; their
   * indexes are unready by now. Returns when no master can exclude the region any more. The next
   * filter is built when an index is ready again, so it cannot miss what happens in between.
   */
  public void invalidate() {
    region.suspend();
    try {
      server.wake();
      if (!server.await(region::isOpenEverywhere)) {
        throw new IllegalStateException(
            "Cannot open the filter of " + name + " at the master within twice the lease");
      }
    } finally {
      region.resume();
    }
  }

  /**
   * The postings have gone through a major compaction, which drops the dead ones: the filter is
   * built anew in the background, and the region stays precise meanwhile.
   */
  public void compacted() {
    upkeep.rebuildSoon();
  }

  /** A flush is about to begin. */
  public void flushing() {
    keeper.flushing();
  }

  /** Files of the region were flushed or compacted. */
  public void filesChanged() {
    keeper.filesChanged();
  }

  /**
   * The region is closing. Returns when nobody trusts its filter any more, which takes a lease at
   * most. The filter follows the writes that still come, until the region {@linkplain #closed has
   * closed}.
   *
   * @param aborted whether the server gives the region up; then there is nothing to wait for, as
   *     the region opens elsewhere only after its server is dead for the master
   */
  public void close(boolean aborted) {
    endUpkeep();
    region.release();
    server.sendNow(
        region.holders()); // also where nothing has to be waited for, so that the master forgets it
    server.wake();
    if (!aborted && !server.await(region::isReleased)) {
      LOG.error("{} closes while its filter may still be trusted", name);
    }
  }

  /**
   * The region has closed, or is no longer followed.
   *
   * @param flushed whether all that was written is in its store files
   */
  public void closed(boolean flushed) {
    try {
      if (flushed) {
        keeper.closed(latestStamp.getAsLong());
      }
    } finally {
      region.forget();
      server.release();
    }
  }

  private void endUpkeep() {
    server.unwatch(watch);
    upkeep.stop();
    server.endUpkeep(upkeep);
  }

  /**
   * The region stays open, but its writes are no longer told to the filter: trust in it is not
   * renewed from now on. What is left of a close, which takes time, is done in the background.
   */
  public void withdraw() {
    endUpkeep();
    region.release();
    server.execute(
        () -> {
          close(false);
          closed(false);
        });
  }

  private final class BatchStep implements Step {
    private final ShardedBatch batch;
    private final Elements ended;
    private boolean over;

    BatchStep(ShardedBatch batch, Elements ended) {
      this.batch = batch;
      this.ended = ended;
    }

    @Override
    public void awaitConfirmation() {
      await(batch::isSettled);
    }

    @Override
    public void succeeded() {
      for (int at = 0; at < ended.hashes().length; at++) {
        batch.delete(ended.spaces()[at], ended.hashes()[at]);
      }
    }

    @Override
    public void end() {
      if (!over) {
        over = true;
        batch.end();
      }
    }
  }
}
