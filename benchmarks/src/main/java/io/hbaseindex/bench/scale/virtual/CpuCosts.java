/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.virtual;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What calls into the deployed classes cost, in processor time of the one thread that makes them:
 * other processes, and the collection of garbage by other threads, do not count.
 */
public final class CpuCosts {
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int DIGITS = 3;

  /** A kind of call. */
  public enum Call {
    BUILD("server: a filter is built"),
    INSERT("server: a batch is told to the filter"),
    POLL("server: the next push is gathered"),
    SEND("server: a push becomes bytes"),
    HEAR("server: a reply is taken in"),
    DECODE("holder: bytes become a push"),
    APPLY("holder: a push is applied"),
    REPLY("holder: a reply becomes bytes"),
    TIDY("holder: some bits are moved to where routes read them fastest"),
    ROUTE("holder: one value is routed"),
    COPY("holder: a region's filter is copied for a client");

    private final String label;

    Call(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  /** Something that is called. */
  public interface Work<T> {
    T run();
  }

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final double scale;
  private final Map<Call, Histogram> histograms = new EnumMap<>(Call.class);
  private long lastNanos;

  /**
   * @param scale what measured time is multiplied with
   */
  public CpuCosts(double scale) {
    this.scale = scale;
    forget();
  }

  /** Makes a call and counts what it cost. */
  public <T> T measure(Call call, Work<T> work) {
    long began = threads.getCurrentThreadCpuTime();
    T result = work.run();
    lastNanos = (long) (scale * (threads.getCurrentThreadCpuTime() - began));
    histograms.get(call).recordValue(Math.min(LONGEST_NANOS, lastNanos));
    return result;
  }

  /** What the last call cost, in virtual nanoseconds. */
  public long lastNanos() {
    return lastNanos;
  }

  /** Forgets everything so far: only what comes from now on counts. */
  public void forget() {
    for (Call call : Call.values()) {
      forget(call);
    }
  }

  /** Forgets what calls of one kind have cost so far. */
  public void forget(Call call) {
    histograms.put(call, new Histogram(LONGEST_NANOS, DIGITS));
  }

  /** What calls of a kind have cost, in virtual nanoseconds. */
  public Histogram of(Call call) {
    return histograms.get(call);
  }

  /** Nanoseconds that all calls of some kinds took. */
  public double totalNanos(Call... calls) {
    double total = 0;
    for (Call call : calls) {
      total += histograms.get(call).getMean() * histograms.get(call).getTotalCount();
    }
    return total;
  }
}
