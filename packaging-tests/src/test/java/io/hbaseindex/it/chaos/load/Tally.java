/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Everything that is counted in a run: operations, faults, the longest wait of each kind of
 * operation under each kind of fault, and what was wrong. Safe for use by many threads.
 */
public final class Tally {
  /** What is wrong when something is. */
  public enum Wrong {
    /** A row that was acknowledged and stable was not found. */
    MISSED,
    /** A row was found by a value that it did not have. */
    INVENTED,
    /** HBase itself did not show what it had acknowledged. */
    LOST,
    /** Rows and postings differ. */
    UNCLEAN,
    /** Filters or indexes were not used although nothing stood in their way. */
    UNUSED,
    /** An answer never came, or the cluster did not become whole again. */
    STUCK
  }

  private final Map<String, LongAdder> done = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> failed = new ConcurrentSkipListMap<>();
  private final Map<String, LongAdder> faults = new ConcurrentSkipListMap<>();
  private final Map<String, String> skipped = new ConcurrentSkipListMap<>();
  private final Map<String, Map<String, Long>> longest = new ConcurrentSkipListMap<>();
  private final Map<String, List<Long>> untilPrecise = new ConcurrentSkipListMap<>();
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final Map<Wrong, LongAdder> wrongs = new ConcurrentSkipListMap<>();
  private volatile String fault = "none";

  /** An operation that may fail. */
  @FunctionalInterface
  public interface Timed<T> {
    T run() throws Exception;
  }

  /** Runs an operation, counts it, and keeps how long it took, whether it failed or not. */
  public <T> T timed(String operation, Timed<T> work) throws Exception {
    String before = fault;
    long began = System.nanoTime();
    boolean happened = false;
    try {
      T result = work.run();
      happened = true;
      return result;
    } finally {
      count(happened ? done : failed, operation);
      waited(operation, before, System.nanoTime() - began);
    }
  }

  private void waited(String operation, String before, long nanos) {
    // A wait that began before a fault is the fault's; one that began in it is too.
    String cause = fault.equals("none") ? before : fault;
    longest
        .computeIfAbsent(operation, any -> new ConcurrentSkipListMap<>())
        .merge(cause, TimeUnit.NANOSECONDS.toMillis(nanos), Math::max);
  }

  /** What is being broken from now on; {@code none} if nothing is. */
  public void during(String kind) {
    fault = kind;
  }

  public String fault() {
    return fault;
  }

  public void faulted(String kind) {
    count(faults, kind);
  }

  public void skipped(String kind, String why) {
    skipped.put(kind, why);
  }

  public void precise(String kind, long nanos) {
    untilPrecise
        .computeIfAbsent(kind, any -> Collections.synchronizedList(new ArrayList<>()))
        .add(TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** Notes something that must not be, and says it at once. */
  public void wrong(Wrong kind, String evidence) {
    count(wrongs, kind);
    wrong.add(kind + ": " + evidence);
    Log.line(kind + ": " + evidence);
  }

  private static <K> void count(Map<K, LongAdder> counts, K key) {
    counts.computeIfAbsent(key, any -> new LongAdder()).increment();
  }

  public long wrongs(Wrong kind) {
    return wrongs.getOrDefault(kind, new LongAdder()).sum();
  }

  public List<String> wrong() {
    return List.copyOf(wrong);
  }

  /** Operations that were answered, by kind. */
  public Map<String, Long> done() {
    return sums(done);
  }

  /**
   * Operations that failed at the client, by kind; whether a write among them happened is unknown.
   */
  public Map<String, Long> failed() {
    return sums(failed);
  }

  public Map<String, Long> faults() {
    return sums(faults);
  }

  /** Kinds of faults that this machine does not allow, with the reason. */
  public Map<String, String> skipped() {
    return new TreeMap<>(skipped);
  }

  /** The longest waits in ms, by operation and fault. */
  public Map<String, Map<String, Long>> longest() {
    return new TreeMap<>(longest);
  }

  /** Times in ms from the end of a fault until all filters were trusted, by kind of fault. */
  public Map<String, List<Long>> untilPrecise() {
    return new TreeMap<>(untilPrecise);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> counts) {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((key, sum) -> sums.put(key, sum.sum()));
    return sums;
  }
}
