/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.context.FilterCustody;
import io.hbaseindex.region.context.FilterFeed;
import io.hbaseindex.region.context.Frequencies;
import io.hbaseindex.region.context.PostingClock;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.context.RegionPlan;
import io.hbaseindex.region.context.RowLocks;
import io.hbaseindex.region.endpoint.CheckedRegion;
import io.hbaseindex.region.lifecycle.RegionLifecycle;
import io.hbaseindex.region.lifecycle.background.BackgroundWork;
import io.hbaseindex.region.lifecycle.ledger.RegionLedger;
import io.hbaseindex.region.metrics.RegionMetrics;
import io.hbaseindex.region.metrics.TableMetrics;
import io.hbaseindex.region.publish.RegionFeed;
import io.hbaseindex.region.publish.TableRelay;
import io.hbaseindex.region.publish.UnpublishedRegion;
import io.hbaseindex.region.scan.CountingScanner;
import io.hbaseindex.region.scan.IndexedScans;
import io.hbaseindex.region.scan.OrderingScanner;
import io.hbaseindex.region.scan.trace.ScanTraces;
import io.hbaseindex.region.write.BatchIndexer;
import io.hbaseindex.region.write.WritePath;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that an observer keeps for its region, from the moment it is loaded until the region has
 * closed.
 *
 * <p>It belongs to the region and not to the observer: when a server reloads its configuration and
 * finds other coprocessors in it, HBase gives its open regions new coprocessor instances without a
 * word to the old ones, whatever batches and scans are under way. The new observer then goes on
 * with what the old one had: row locks, batches in flight, builds, the published filter. Two of any
 * of these for one region would each know half of what is written.
 */
final class ObservedRegion {
  private static final Logger LOG = LoggerFactory.getLogger(ObservedRegion.class);
  private static final long DEFAULT_ROW_LOCK_WAIT_MS = 5_000;

  /** Leases and waits go by the machine's clocks, timestamps of cells by HBase's. */
  private static final MachineClock CLOCK =
      MachineClock.of(System::nanoTime, System::currentTimeMillis);

  private final RegionCoprocessorEnvironment env;
  private final HookGuard guard;
  private final RegionPlan plan;
  private final RegionMetrics metrics;
  private final ScanTraces traces;
  private final BackgroundWork background;
  private final Optional<RegionLedger> ledger;
  private final Optional<RegionLifecycle> lifecycle;
  private final Optional<UnindexedRegion> unindexed;
  private final CheckedRegion checked;
  private volatile RegionObserver observer;
  private boolean ended;
  private volatile Optional<RegionFeed> publishing = Optional.empty();

  /** The feed of a region that is closing, whose filter is stored at the end. */
  private volatile Optional<RegionFeed> released = Optional.empty();

  private volatile PostingClock postingClock;
  private volatile WritePath writePath;
  private volatile IndexedScans scans;

  private ObservedRegion(RegionCoprocessorEnvironment env) throws IOException {
    this.env = env;
    String name = env.getRegionInfo().getRegionNameAsString();
    guard = new HookGuard(name);
    plan = RegionPlan.of(env.getRegion().getTableDescriptor(), env.getRegionInfo());
    if (plan instanceof RegionPlan.Unindexed unindexed && unindexed.fault()) {
      LOG.error("Region {} opens without its indexes: {}", name, unindexed.reason());
    }
    if (plan instanceof RegionPlan.Indexed indexed) {
      indexed.unsupported().values().forEach(why -> LOG.error("Region {}: {}", name, why));
    }
    metrics =
        new RegionMetrics(
            new TableMetrics(IndexRegistry.ofRegionServer(), env.getRegionInfo().getTable()));
    background =
        BackgroundWork.acquire(
            env.getSharedData(),
            env.getServerName().getServerName(),
            serverConfiguration(),
            CLOCK::monotonicNanos);
    try {
      HRegion region = (HRegion) env.getRegion();
      unindexed = UnindexedRegion.of(plan, region, metrics);
      ledger = isIndexed() ? Optional.of(RegionLedger.of(region, metrics)) : Optional.empty();
      lifecycle = ledger.map(this::lifecycleWith);
    } catch (IOException | RuntimeException | Error e) {
      background.release(); // nobody will stop what was never made
      throw e;
    }
    traces = new ScanTraces(metrics, EnvironmentEdgeManager::currentTime);
    checked =
        new CheckedRegion(
            env,
            plan,
            metrics,
            traces,
            lifecycle,
            TableRelay.withoutMaster(env.getRegion().getTableDescriptor()),
            EnvironmentEdgeManager::currentTime);
  }

  private RegionLifecycle lifecycleWith(RegionLedger kept) {
    return RegionLifecycle.of(
        (HRegion) env.getRegion(),
        (RegionPlan.Indexed) plan,
        kept,
        background,
        this::isOnline,
        metrics);
  }

  /** What there is for the region of an observer that is being loaded, made if there is nothing. */
  static ObservedRegion of(RegionCoprocessorEnvironment env, RegionObserver observer)
      throws IOException {
    Object before = env.getSharedData().get(keyOf(env));
    if (before instanceof ObservedRegion same && same.env.getRegion() == env.getRegion()) {
      if (same.goOnUnder(observer)) {
        LOG.info("The indexes of {} go on under a new observer", env.getRegionInfo());
        return same;
      }
      same.unobserved();
    }
    ObservedRegion created = new ObservedRegion(env);
    created.observer = observer;
    boolean alreadyOpen = !env.getRegion().getStores().isEmpty();
    if (alreadyOpen) {
      created.guard.run("join an open region", created::joined);
    }
    env.getSharedData().put(keyOf(env), created);
    return created;
  }

  /**
   * Not if the region was without an observer in between, which only its present host can tell: it
   * is replaced when all of the new one's coprocessors have been loaded.
   */
  private synchronized boolean goOnUnder(RegionObserver next) {
    if (ended || !hasObserver()) {
      return false;
    }
    observer = next;
    return true;
  }

  private boolean hasObserver() {
    RegionCoprocessorHost host = ((HRegion) env.getRegion()).getCoprocessorHost();
    return host != null && host.findCoprocessor(IndexRegionObserver.class) != null;
  }

  // Several servers of one process, as in tests, share one map.
  private static String keyOf(RegionCoprocessorEnvironment env) {
    return ObservedRegion.class.getName()
        + "/"
        + env.getServerName()
        + "/"
        + env.getRegionInfo().getEncodedName();
  }

  private boolean isOnline() {
    return env.getOnlineRegions().getRegion(env.getRegionInfo().getEncodedName()) != null;
  }

  /**
   * The server's own configuration object, which it reloads in place; the region's may be a frozen
   * copy.
   */
  private Supplier<Configuration> serverConfiguration() {
    return env.getOnlineRegions() instanceof Server server
        ? server::getConfiguration
        : env::getConfiguration;
  }

  /** Before the region opens. */
  void opening() {
    lifecycle.ifPresent(RegionLifecycle::opening);
    unindexed.ifPresent(UnindexedRegion::opening);
  }

  /** The region is open, and nobody has written to it yet. */
  void opened() throws IOException {
    startServing();
    if (lifecycle.isPresent()) {
      lifecycle.get().opened(writePath.reindexer(), postingClock);
    }
  }

  /** The region was open already, without an observer. */
  private void joined() throws IOException {
    opening();
    startServing();
    lifecycle.ifPresent(region -> region.joined(writePath.reindexer(), postingClock));
  }

  private void startServing() throws IOException {
    unindexed.ifPresent(region -> region.opened(serverConfiguration().get(), CLOCK, metrics));
    if (plan instanceof RegionPlan.Indexed indexed && writePath == null) {
      RegionIndexes indexes = contextOf(indexed);
      publishing = publish(indexes);
      writePath =
          WritePath.of(
              indexes,
              feed(),
              EnvironmentEdgeManager::currentTime,
              lifecycle.orElseThrow().loggedBatches());
      // Unlike the environment's configuration, the region's follows a reload of the server's.
      scans =
          new IndexedScans(
              indexes,
              publishing.<Frequencies>map(feed -> feed).orElse(Frequencies.UNKNOWN),
              traces,
              ((HRegion) env.getRegion()).getReadOnlyConfiguration(),
              MachineClock.of(CLOCK::monotonicNanos, EnvironmentEdgeManager::currentTime));
      checked.opened(indexes, writePath);
      publishing.ifPresent(
          region -> {
            checked.relaying(region.relay(env.getRegion().getTableDescriptor()));
            checked.publishing(region::rebuildProgress);
          });
    }
  }

  private FilterFeed feed() {
    if (publishing.isPresent()) {
      return publishing.get();
    }
    RegionLedger kept = ledger.orElseThrow();
    UnpublishedRegion trust =
        UnpublishedRegion.of(serverConfiguration().get(), CLOCK, kept::wasTrusted, metrics);
    kept.trustedWhile(trust::mayBeTrusted);
    lifecycle.ifPresent(region -> region.whenDistrusted(trust::awaitEndOfTrust));
    return trust;
  }

  private Optional<RegionFeed> publish(RegionIndexes indexes) throws IOException {
    if (!RegionFeed.isEnabled(env.getConfiguration()) || !mayPublish()) {
      return Optional.empty();
    }
    RegionFeed started =
        RegionFeed.of(
            env,
            serverConfiguration().get(),
            indexes,
            ledger.orElseThrow(),
            metrics,
            CLOCK,
            this::hasObserver,
            this::unobserved);
    lifecycle.ifPresent(region -> region.whenDistrusted(started::invalidate));
    return Optional.of(started);
  }

  /** Whoever opens the region next must know that its filter may be trusted, before it is. */
  private boolean mayPublish() {
    try {
      ledger.orElseThrow().publishing();
      return true;
    } catch (IOException e) {
      LOG.error(
          "Cannot publish the filter of {}: its ledger can neither be written nor deleted; the region is a"
              + " candidate for every value until it is opened anew",
          env.getRegionInfo(),
          e);
      return false;
    }
  }

  private RegionIndexes contextOf(RegionPlan.Indexed indexed) throws IOException {
    RegionLifecycle states = lifecycle.orElseThrow();
    long lockWait =
        env.getConfiguration().getLong(IndexSettings.ROW_LOCK_WAIT_MS, DEFAULT_ROW_LOCK_WAIT_MS);
    postingClock = new PostingClock(EnvironmentEdgeManager::currentTime, highestTimestamp());
    return new RegionIndexes(
        env.getRegion(),
        indexed.definitions(),
        indexed.keys(),
        new RowLocks(lockWait, CLOCK::monotonicNanos),
        postingClock,
        states.readiness(),
        states.stalePostings(),
        metrics);
  }

  /**
   * No posting is written with a timestamp that a stored filter is taken to know all postings of,
   * even if the one that had it was compacted away.
   */
  private long highestTimestamp() throws IOException {
    long found = PostingTimestamps.highestIn(env.getRegion());
    long stored =
        ledger.orElseThrow().held().map(FilterCustody.Held::through).orElse(Long.MIN_VALUE);
    return Math.max(found, stored);
  }

  boolean isIndexed() {
    return plan instanceof RegionPlan.Indexed;
  }

  Optional<RegionLifecycle> lifecycle() {
    return lifecycle;
  }

  /** Something was written, or is about to be loaded: returns when it may be acknowledged. */
  void awaitEndOfEarlierTrust() {
    unindexed.ifPresent(UnindexedRegion::awaitEndOfTrust);
  }

  CheckedRegion checked() {
    return checked;
  }

  ScanTraces traces() {
    return traces;
  }

  /** The scanner of a scan, or one that counts or orders its rows if the scan asks for that. */
  RegionScanner answering(Scan scan, RegionScanner scanner) {
    boolean authorized =
        env.getConfiguration().getBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, false);
    return OrderingScanner.over(
        CountingScanner.over(scanner, scan, authorized, traces.countsOf(scan)),
        scan,
        authorized,
        () -> scans().flatMap(indexed -> indexed.inOrder(scan, scanner)),
        traces.countsOf(scan));
  }

  /** How scans use the indexes; empty before the region is open, and where there are none. */
  Optional<IndexedScans> scans() {
    return Optional.ofNullable(scans);
  }

  /** What indexes batches; empty before the region is open, and where there is nothing to index. */
  Optional<BatchIndexer> batchIndexer() {
    return Optional.ofNullable(writePath).map(WritePath::batchIndexer);
  }

  /** The postings have gone through a major compaction. */
  void postingsCompacted() {
    publishing.ifPresent(RegionFeed::compacted);
  }

  /** A flush is about to begin, or seems to be. */
  void flushing() {
    publishing.ifPresent(RegionFeed::flushing);
  }

  /** Store files were flushed or compacted. */
  void filesChanged() {
    publishing.ifPresent(RegionFeed::filesChanged);
  }

  void stopPublishing(boolean aborted) {
    if (publishing.isPresent()) {
      released = publishing;
      publishing = Optional.empty();
      released.get().close(aborted);
    }
  }

  private void endPublishing(boolean flushed) {
    Optional<RegionFeed> ending = released;
    released = Optional.empty();
    ending.ifPresent(region -> region.closed(flushed));
  }

  void closed(boolean aborted) {
    // Before the ledger is written for the last time, which then names the stored filter.
    guard.attempt("store the filter", () -> endPublishing(!aborted));
    try {
      lifecycle.ifPresent(region -> region.closed(aborted));
      unindexed.ifPresent(region -> region.closed(aborted));
    } finally {
      forget();
    }
  }

  /**
   * An observer ends. If it is the last one, nothing more will be heard of the region. It may be
   * open and stay so, where HBase removes an observer that threw an error: what is written from now
   * on is in no filter, so nobody may trust the one there is when this returns.
   */
  void stop(RegionObserver ending) {
    if (ending == observer && end()) {
      stopPublishing(isClosing());
      endPublishing(false);
      leave();
    }
  }

  /**
   * HBase has given the region coprocessors without an observer of ours, and has told nobody: what
   * is written since is in no filter. An observer that comes later begins anew.
   */
  private void unobserved() {
    if (end()) {
      LOG.warn("{} has lost its index observer; its filter is withdrawn", env.getRegionInfo());
      Optional<RegionFeed> running = publishing;
      publishing = Optional.empty();
      running.ifPresent(RegionFeed::withdraw);
      leave();
    }
  }

  /** Whether it was not over before. */
  private synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    return first;
  }

  private boolean isClosing() {
    HRegion region = (HRegion) env.getRegion();
    return region.isClosing() || region.isClosed();
  }

  private void leave() {
    background.release();
    forget();
  }

  private void forget() {
    env.getSharedData().remove(keyOf(env), this);
  }
}
