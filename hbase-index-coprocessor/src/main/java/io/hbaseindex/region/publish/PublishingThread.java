/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.memory.PagedMemory;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.RegionPublishStatus;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.shard.ShardedRegion;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.region.upkeep.FilterRoom;
import io.hbaseindex.region.upkeep.TableSizes;
import io.hbaseindex.region.upkeep.UpkeepThreads;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the filters of all indexed regions of one region server: one thread that talks to the
 * master, and a few that read, store and build filters.
 *
 * <p>There is one per server, held by the regions that use it: the first one to come starts it, the
 * last one to leave ends its threads. It hangs on the map that HBase shares between the instances
 * of one coprocessor; that map is shared by all servers of one process, so the server's name is
 * part of the key.
 */
@InterfaceAudience.Private
public final class PublishingThread {
  private static final Logger LOG = LoggerFactory.getLogger(PublishingThread.class);
  private static final long SLEEP_AFTER_ERROR_MILLIS = 1000;

  /**
   * Outlives every publisher of the process, also the map that HBase shares, which it forgets with
   * the last region that uses it.
   */
  private static final RegionNumbers NUMBERS = new RegionNumbers(new Random().nextInt(1 << 30));

  /** Writers send too, without waking the thread that looks at the clock; so it looks often. */
  private static final int LOOKS_PER_PUSH_TIMEOUT = 4;

  /** Waits end by time alone too, when a horizon passes; this is how late that may be noticed. */
  private static final long WAIT_STEP_MILLIS = 10;

  private final ConcurrentMap<String, Object> home;
  private final String key;
  private final MachineClock clock;
  private final LeaseTerms terms;
  private final String server;
  private final IntFunction<PushTransport> transports;
  private final LayoutWatch layout;
  private final PublishMetrics metrics;
  private final PagedMemory memory;
  private final MasterRelay relay;
  private final UpkeepThreads upkeep;
  private final TableSizes sizes;
  private final FilterRoom room;
  private final ReentrantLock lock = new ReentrantLock();

  /** For the one thread that talks to the master. */
  private final Condition workCame = lock.newCondition();

  /** For those who wait for the master; not told of every write, or each would wake all. */
  private final Condition progressed = lock.newCondition();

  /** The ways to the holders of filters, by their numbers. */
  private final ConcurrentMap<Integer, HolderLink> links = new ConcurrentSkipListMap<>();

  private final Set<Runnable> watches = ConcurrentHashMap.newKeySet();
  private boolean work;

  /** Pushes that were answered or have failed; changed under the lock. */
  private volatile long answers;

  private volatile boolean stopped;
  private boolean warned;

  /** When the watches are run again. */
  private long watchAt;

  private int users = 1;

  private PublishingThread(
      ConcurrentMap<String, Object> home,
      String key,
      String server,
      MachineClock clock,
      LeaseTerms terms,
      PagedMemory memory,
      int mostBuilds,
      IntFunction<PushTransport> transports,
      LayoutWatch layout,
      PublishMetrics metrics) {
    this.home = home;
    this.key = key;
    this.server = server;
    this.clock = clock;
    this.terms = terms;
    this.transports = transports;
    this.layout = layout;
    this.metrics = metrics;
    this.memory = memory;
    this.watchAt = clock.monotonicNanos();
    this.relay =
        new MasterRelay(holder -> link(holder).transport(), layout, terms.leaseNanos(), metrics);
    this.upkeep =
        new UpkeepThreads("hbase-index-filters-" + server, mostBuilds, clock::monotonicNanos);
    layout.lookFirst();
    HolderLink master = link(ShardPlace.MASTER); // asked for copies, whoever else holds filters
    this.sizes = new TableSizes(() -> master.transport().regionCounts(), clock::monotonicNanos);
    this.room = new FilterRoom(clock::monotonicNanos);
    upkeep.add(sizes);
    upkeep.add(room);
    daemon(this::talkToMaster, "hbase-index-publisher-" + server).start();
  }

  /**
   * The publishing of a server; to be given back with {@link #release}.
   *
   * @param home what HBase shares between instances of the coprocessor
   * @param server name of the region server, with its start code
   * @param filterBytes direct memory for the filters of all regions
   * @param mostBuilds filters that are built from postings at the same time, at most
   * @param transports makes the way to a holder, given its number
   * @param layout tells where filters are kept
   */
  static PublishingThread acquire(
      ConcurrentMap<String, Object> home,
      String server,
      MachineClock clock,
      LeaseTerms terms,
      long filterBytes,
      int mostBuilds,
      IntFunction<PushTransport> transports,
      LayoutWatch layout,
      Supplier<PublishMetrics> metrics) {
    String key = PublishingThread.class.getName() + "/" + server;
    return (PublishingThread)
        home.compute(
            key,
            (k, existing) -> {
              if (existing == null) {
                return new PublishingThread(
                    home,
                    key,
                    server,
                    clock,
                    terms,
                    PagedMemory.direct(filterBytes),
                    mostBuilds,
                    transports,
                    layout,
                    metrics.get());
              }
              ((PublishingThread) existing).users++;
              return existing;
            });
  }

  /** Gives the publishing back; the last one to do so ends its threads. */
  void release() {
    home.computeIfPresent(
        key,
        (k, existing) -> {
          if (--users > 0) {
            return existing;
          }
          stop();
          return null;
        });
  }

  private void stop() {
    upkeep.stop();
    lock.lock();
    try {
      stopped = true;
      workCame.signal();
      progressed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private HolderLink link(int holder) {
    return links.computeIfAbsent(
        holder,
        number ->
            new HolderLink(
                new ServerPublisher(
                    server, NUMBERS, clock, terms, PublishLimits.standard(), memory),
                transports.apply(number),
                clock,
                terms,
                metrics,
                this::answered));
  }

  /** Where filters are kept. */
  HolderLayout layout() {
    return layout.get();
  }

  /**
   * A shard of a region's filter that is kept by a holder from now on.
   *
   * @param openedNanos when the region was opened
   */
  ShardedRegion.Part open(
      int holder, RegionIncarnation incarnation, FilterGeometry geometry, long openedNanos) {
    ServerPublisher publisher = link(holder).publisher();
    PublishedRegion region = publisher.open(incarnation, geometry, openedNanos);
    wake();
    return new ShardedRegion.Part(publisher, region);
  }

  /** Passes clients' questions on to the master. */
  MasterRelay relay() {
    return relay;
  }

  /** What the filters of a table are to be like, if nobody has set it. */
  FilterGeometry geometryOf(String table) {
    return FilterGeometry.forRegions(sizes.regionsOf(table));
  }

  /** Looks after a region's filter until that is {@linkplain #endUpkeep ended}. */
  void upkeep(FilterUpkeep task) {
    upkeep.add(task);
    room.add(task.seat());
  }

  /** A region's filter is looked after no more; what is under way may go on for a moment. */
  void endUpkeep(FilterUpkeep task) {
    room.remove(task.seat());
    upkeep.remove(task);
  }

  /** Runs something once, by one of the threads that look after filters. */
  void execute(Runnable errand) {
    upkeep.execute(errand);
  }

  /**
   * Runs a short check several times per heartbeat, and so soon before trust is renewed, which is
   * worth a lease.
   */
  void watch(Runnable check) {
    watches.add(check);
  }

  void unwatch(Runnable check) {
    watches.remove(check);
  }

  /**
   * Holders have to be told of a write: sends it by the calling thread, if nothing is under way.
   * Otherwise it goes with what gathers until the answer.
   */
  void sendNow(IntStream holders) {
    try {
      holders.forEach(holder -> link(holder).sendIfIdle());
    } catch (RuntimeException e) {
      // The write waits as if its push had been lost.
      LOG.error("Cannot push; trying again", e);
    }
  }

  /** There may be something to send. */
  void wake() {
    lock.lock();
    try {
      work = true;
      workCame.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a condition holds that pushes, answers and time make true. It becomes true within a
   * lease; twice that is waited for before it is given up, which would be a fault of the program.
   *
   * @return whether the condition holds
   */
  boolean await(BooleanSupplier condition) {
    long started = clock.monotonicNanos();
    boolean interrupted = false;
    long seen = answers;
    boolean met = condition.getAsBoolean();
    while (!met && clock.monotonicNanos() - started < 2 * terms.longestWaitNanos()) {
      interrupted |= !awaitAnswerAfter(seen);
      seen = answers;
      met = condition.getAsBoolean();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    metrics.waited(clock.monotonicNanos() - started);
    if (!met) {
      metrics.gaveUp();
    }
    return met;
  }

  /** Waits for a moment, unless there was an answer in between; false if interrupted. */
  private boolean awaitAnswerAfter(long seen) {
    lock.lock();
    try {
      if (answers == seen) {
        progressed.await(WAIT_STEP_MILLIS, TimeUnit.MILLISECONDS);
      }
      return true;
    } catch (InterruptedException e) {
      // Acknowledging early would lose rows; the wait is short, and the interrupt is kept.
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void talkToMaster() {
    OpenTimes times = new OpenTimes(metrics, clock.monotonicNanos());
    long looked = clock.monotonicNanos();
    while (true) {
      long now = clock.monotonicNanos();
      if (now - looked > terms.pushTimeoutNanos()) {
        links.values().forEach(link -> link.publisher().stoodStill());
      }
      looked = now;
      long millis = sendWhatThereIs(times);
      lock.lock();
      try {
        if (!work && !stopped && millis > 0) {
          workCame.await(millis, TimeUnit.MILLISECONDS);
        }
        work = false;
      } catch (InterruptedException e) {
        stopped = true; // nobody else knows this thread; it is the process that ends
      } finally {
        lock.unlock();
      }
      if (stopped) {
        break;
      }
    }
    times.end(clock.monotonicNanos());
    links.values().forEach(HolderLink::close);
  }

  /** Returns after how many milliseconds to look again. */
  private long sendWhatThereIs(OpenTimes times) {
    try {
      lookAtWatches();
      links.values().forEach(HolderLink::send);
      if (times.isDue(clock.monotonicNanos())) {
        times.look(clock.monotonicNanos(), statuses(), memory.takenBytes());
        warnOfShortMemory();
        layout.look();
      }
      long longest = terms.pushTimeoutNanos() / LOOKS_PER_PUSH_TIMEOUT;
      long nanos =
          links.values().stream()
              .mapToLong(link -> link.publisher().nextDeadline() - clock.monotonicNanos())
              .min()
              .orElse(longest);
      return TimeUnit.NANOSECONDS.toMillis(Math.min(nanos, longest)) + 1;
    } catch (RuntimeException | Error e) {
      // The thread speaks for all regions and must not end; they are open until it is mended.
      LOG.error("Cannot push; trying again", e);
      return SLEEP_AFTER_ERROR_MILLIS;
    }
  }

  /** Not with each answer: there may be many a second, and as many checks as regions. */
  private void lookAtWatches() {
    long now = clock.monotonicNanos();
    if (now - watchAt >= 0) {
      watchAt = now + terms.pushTimeoutNanos();
      watches.forEach(Runnable::run);
    }
  }

  private List<RegionPublishStatus> statuses() {
    return links.values().stream().flatMap(link -> link.publisher().statuses().stream()).toList();
  }

  private void warnOfShortMemory() {
    if (memory.isCutShort() && !warned) {
      warned = true;
      LOG.warn(
          "Filters of regions have got {} bytes of direct memory, fewer than {} allows, since the process has no"
              + " more; regions beyond it are open. Raise -XX:MaxDirectMemorySize or lower the setting",
          memory.maxBytes(),
          IndexSettings.PUBLISH_FILTER_BYTES);
    }
  }

  private void answered() {
    lock.lock();
    try {
      answers++;
      work = true;
      workCame.signal();
      progressed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
