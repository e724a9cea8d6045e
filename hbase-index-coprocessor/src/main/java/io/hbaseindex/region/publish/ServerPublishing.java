package io.hbaseindex.region.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.publish.LeaseTerms;
import io.hbaseindex.core.publish.PublishClock;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.Push;
import io.hbaseindex.core.publish.PushReply;
import io.hbaseindex.core.publish.RegionIncarnation;
import io.hbaseindex.core.publish.ServerPublisher;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the filters of all indexed regions of one region server: one thread that talks to the
 * master, and one that builds filters.
 *
 * <p>There is one per server, held by the regions that use it: the first one to come starts it, the
 * last one to leave ends its threads. It hangs on the map that HBase shares between the instances
 * of one coprocessor; that map is shared by all servers of one process, so the server's name is
 * part of the key.
 */
public final class ServerPublishing {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPublishing.class);
  private static final long UPKEEP_MILLIS = 500;
  private static final long LONGEST_SLEEP_MILLIS = 1000;

  /** Waits end by time alone too, when a horizon passes; this is how late that may be noticed. */
  private static final long WAIT_STEP_MILLIS = 10;

  private final ConcurrentMap<String, Object> home;
  private final String key;
  private final LeaseTerms terms;
  private final ServerPublisher publisher;
  private final PushTransport transport;
  private final PublishMetrics metrics;
  private final ScheduledExecutorService upkeep;
  private final Object progress = new Object();
  private boolean work;
  private boolean stopped;
  private int users = 1;

  private ServerPublishing(
      ConcurrentMap<String, Object> home,
      String key,
      String server,
      LeaseTerms terms,
      PushTransport transport,
      PublishMetrics metrics) {
    this.home = home;
    this.key = key;
    this.terms = terms;
    this.transport = transport;
    this.metrics = metrics;
    this.publisher =
        new ServerPublisher(
            server,
            PublishClock.of(System::nanoTime, System::currentTimeMillis),
            terms,
            PublishLimits.standard());
    this.upkeep =
        Executors.newSingleThreadScheduledExecutor(
            task -> daemon(task, "hbase-index-filters-" + server));
    daemon(this::talkToMaster, "hbase-index-publisher-" + server).start();
  }

  /**
   * The publishing of a server; to be given back with {@link #release}.
   *
   * @param home what HBase shares between instances of the coprocessor
   * @param server name of the region server, with its start code
   */
  static ServerPublishing acquire(
      ConcurrentMap<String, Object> home,
      String server,
      LeaseTerms terms,
      Supplier<PushTransport> transport,
      Supplier<PublishMetrics> metrics) {
    String key = ServerPublishing.class.getName() + "/" + server;
    return (ServerPublishing)
        home.compute(
            key,
            (k, existing) -> {
              if (existing == null) {
                return new ServerPublishing(
                    home, key, server, terms, transport.get(), metrics.get());
              }
              ((ServerPublishing) existing).users++;
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
    upkeep.shutdownNow();
    synchronized (progress) {
      stopped = true;
      progress.notifyAll();
    }
  }

  PublishedRegion open(RegionIncarnation incarnation, FilterGeometry geometry) {
    PublishedRegion region = publisher.open(incarnation, geometry);
    wake();
    return region;
  }

  void forget(PublishedRegion region) {
    publisher.forget(region);
  }

  /** Runs a region's upkeep again and again until the returned future is cancelled. */
  ScheduledFuture<?> schedule(Runnable task) {
    return upkeep.scheduleWithFixedDelay(task, 0, UPKEEP_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** There may be something to send. */
  void wake() {
    synchronized (progress) {
      work = true;
      progress.notifyAll();
    }
  }

  /**
   * Waits until a condition holds that pushes, answers and time make true. It becomes true within a
   * lease; twice that is waited for before it is given up, which would be a fault of the program.
   *
   * @return whether the condition holds
   */
  boolean await(BooleanSupplier condition) {
    long started = System.nanoTime();
    boolean interrupted = false;
    boolean met = condition.getAsBoolean();
    while (!met && System.nanoTime() - started < 2 * terms.longestWaitNanos()) {
      synchronized (progress) {
        try {
          progress.wait(WAIT_STEP_MILLIS);
        } catch (InterruptedException e) {
          // Acknowledging early would lose rows; the wait is short, and the interrupt is kept.
          interrupted = true;
        }
      }
      met = condition.getAsBoolean();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    metrics.waited(System.nanoTime() - started);
    return met;
  }

  private void talkToMaster() {
    while (true) {
      publisher.poll().ifPresent(this::send);
      long millis = TimeUnit.NANOSECONDS.toMillis(publisher.nextDeadline() - System.nanoTime()) + 1;
      synchronized (progress) {
        if (!work && !stopped && millis > 0) {
          try {
            progress.wait(Math.min(millis, LONGEST_SLEEP_MILLIS));
          } catch (InterruptedException e) {
            stopped = true; // nobody else knows this thread; it is the process that ends
          }
        }
        work = false;
        progress.notifyAll();
        if (stopped) {
          break;
        }
      }
    }
    transport.close();
  }

  private void send(Push push) {
    metrics.pushed(push.messages().size());
    try {
      transport.send(push).whenComplete((reply, failure) -> answered(push, reply, failure));
    } catch (RuntimeException e) {
      // This thread speaks for all regions and must not end; they are open until it is mended.
      LOG.error("Cannot send push {}", push.number(), e);
      answered(push, null, e);
    }
  }

  private void answered(Push push, PushReply reply, Throwable failure) {
    if (failure == null) {
      publisher.onReply(reply);
    } else {
      metrics.pushFailed();
      LOG.debug(
          "Push {} failed; its regions are heard again with the next", push.number(), failure);
      publisher.onPushFailed(push.number());
    }
    wake();
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
