/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.context.FilterCustody;
import io.hbaseindex.region.lifecycle.ReplayCheck;
import io.hbaseindex.region.lifecycle.ledger.LedgerRecord.Entry;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says after any interruption which indexes of the region are complete; in doubt it says none.
 *
 * <p>An index is complete as long as every change to the region's data went through the observer.
 * Most ways around it end in a store file that the observer did not make: writing while it was not
 * loaded (P10), restoring a snapshot into the same table (P11), bulk loads (P9), files put in place
 * by hand. So the ledger keeps the names of all store files beside what is built, and a region
 * trusts it at open only if it has exactly those files. Names of store files are never used twice,
 * and their content never changes. Changes that were not in a file yet come back from the log,
 * whose entries say which indexes they went through; {@link ReplayCheck} looks at those.
 *
 * <p>While the region is open the file set follows flushes and compactions, and is written after
 * each of them. A crash between a change of files and the writing of the ledger makes the next open
 * rebuild: slow, never wrong. For the same reason an error while writing keeps nobody from anything
 * (L1): it is logged and counted, and written again later. The exception is {@link #forgetAll},
 * whose effect must be durable before its caller goes on.
 *
 * <p>A server that lost its region without noticing may write the ledger once more. Once the next
 * opening has written or claimed it, nobody reads that any more ({@link LedgerStore}). Before, it
 * is what was true when the region was lost, and still is: names of files do not match if the new
 * owner has changed any, and postings are durable before the ledger mentions them.
 *
 * <p>It also says whether a filter of the region may be trusted somewhere, so that a region that
 * publishes none need not wait for the end of a trust that nobody ever gave ({@link #wasTrusted}).
 * "Certainly not" is written only by a region that publishes nothing, when nothing of before can be
 * left; and a region that begins to publish takes it back, durably, before anybody can trust it
 * ({@link #publishing}); from then on the late writer of above can no longer say so. What is
 * unknown counts as trusted: no ledger, a damaged one, other files.
 *
 * <p>And it names the stored filter of the region ({@link #held}), so that one comparison tells
 * whether both the indexes and the filter are still right.
 *
 * <p>Thread-safe. Methods that write do so under the monitor, so two writers never overtake each
 * other.
 */
@InterfaceAudience.Private
public final class RegionLedger implements FilterCustody {

  private static final Logger LOG = LoggerFactory.getLogger(RegionLedger.class);
  private static final String NO_LEDGER = "the region has no ledger yet";

  private final LedgerStore store;
  private final IndexMetrics metrics;
  private volatile Runnable whenBehind = () -> {};
  private LedgerRecord record;
  private Optional<String> doubt = Optional.empty();
  private final Set<Integer> doubtedIndexes = new HashSet<>();

  /** Files that HBase has announced and was not yet seen to use. */
  private final Set<String> announced = new HashSet<>();

  /** Whether a filter of before may be trusted; true as long as nothing is known. */
  private boolean wasTrusted = true;

  /** Whether the ledger that is stored may say that no filter is trusted. */
  private boolean deniesTrust = true;

  /** Whether what may have been trusted before still may be. */
  private BooleanSupplier stillTrusted = () -> true;

  /** Whether what is stored may be replaced: only between reconciling and closing. */
  private boolean open;

  /** Whether writing waits for the close. */
  private boolean closing;

  /** Whether nothing may be trusted when the region is opened anew, whatever it builds. */
  private volatile boolean forsaken;

  /** Whether what is stored says so. */
  private boolean forsakenStored;

  /** Batches that were given to the log and, as far as is known, are not in memory yet. */
  private final Set<Object> unsettled = ConcurrentHashMap.newKeySet();

  /** Those of them that a flush may have passed by. Its files are told when their fate is known. */
  private final Set<Object> passedBy = new HashSet<>();

  /** Whether writing may have to wait for one of those. */
  private volatile boolean heldUp;

  /** Whether what is stored is older than the record, because it could not be written yet. */
  private boolean behind;

  public RegionLedger(LedgerStore store, long incarnation, IndexMetrics metrics) {
    this.store = store;
    this.metrics = metrics;
    this.record = LedgerRecord.empty(incarnation);
  }

  /** The ledger of a region, to be made as the region server's own user. */
  public static RegionLedger of(HRegion region, IndexMetrics metrics) throws IOException {
    HRegionFileSystem files = region.getRegionFileSystem();
    LedgerFile file =
        LedgerFile.in(
            files.getFileSystem(), files.getRegionDir(), region.getReadOnlyConfiguration());
    byte[] name = region.getRegionInfo().getEncodedName().getBytes(StandardCharsets.US_ASCII);
    return new RegionLedger(file, IndexRowKeys.incarnationOf(name), metrics);
  }

  /** Sets what is run when a write has failed; it sees to it that {@link #catchUp} is called. */
  public synchronized void whenBehind(Runnable action) {
    whenBehind = action;
  }

  /**
   * Reads what is stored, before the region looks at its log. Never fails: what cannot be read is
   * not trusted.
   */
  public synchronized void load() {
    try {
      Optional<LedgerRecord> stored = store.read();
      deniesTrust = stored.isPresent() && !stored.get().trusted();
      if (stored.isEmpty()) {
        doubt = Optional.of(NO_LEDGER);
      } else if (stored.get().incarnation() != record.incarnation()) {
        doubt = Optional.of("the ledger is another region's");
      } else {
        record = stored.get();
        wasTrusted = record.trusted();
      }
    } catch (IOException e) {
      LOG.error("Cannot read the index ledger {}; all indexes of the region are rebuilt", store, e);
      doubt = Optional.of("the ledger could not be read: " + e.getMessage());
    }
  }

  /** Takes note, during replay, that the log holds a change that this index may lack. */
  public synchronized void doubt(int indexId) {
    doubtedIndexes.add(indexId);
  }

  /** Takes note, during replay, of a reason to trust nothing at all. */
  public synchronized void doubt(String why) {
    doubt = Optional.of(why);
  }

  /**
   * Compares the ledger with the files that are really there and with the indexes that are wanted,
   * forgets what cannot be trusted or is not wanted, and writes the outcome.
   *
   * @param wanted fingerprint by index id
   * @param actual the store files that the region has opened
   * @return what was found
   */
  public synchronized Findings reconcile(Map<Integer, Integer> wanted, Collection<String> actual) {
    NavigableSet<String> files = new TreeSet<>(actual);
    if (doubt.isEmpty() && !files.equals(record.files())) {
      doubt = Optional.of(describeDifference(record.files(), files));
    }
    wasTrusted |= doubt.isPresent();
    Set<Integer> dropped = new HashSet<>(record.indexes().keySet());
    dropped.removeAll(wanted.keySet());
    NavigableMap<Integer, Entry> kept = new TreeMap<>();
    if (doubt.isEmpty()) {
      record
          .indexes()
          .forEach(
              (id, entry) -> {
                boolean same = Integer.valueOf(entry.fingerprint()).equals(wanted.get(id));
                if (same && !doubtedIndexes.contains(id)) {
                  kept.put(id, entry);
                }
              });
    }
    record = record.withIndexes(kept).withFiles(files);
    if (doubt.isPresent()) {
      record = record.withFilter(Optional.empty());
    }
    announced.clear();
    open = true;
    write();
    return new Findings(kept, dropped, doubt, Set.copyOf(doubtedIndexes));
  }

  /**
   * @param trusted what is built or begun and may be relied on
   * @param dropped ids of indexes that were there and are wanted no more
   * @param doubt why nothing at all is trusted, if so
   * @param doubtedIndexes ids of indexes that may lack changes of the log
   */
  public record Findings(
      NavigableMap<Integer, Entry> trusted,
      Set<Integer> dropped,
      Optional<String> doubt,
      Set<Integer> doubtedIndexes) {

    /** Whether there was something that could not be trusted, rather than nothing at all. */
    public boolean isDistrusted() {
      return doubt.filter(why -> !why.equals(NO_LEDGER)).isPresent() || !doubtedIndexes.isEmpty();
    }
  }

  /**
   * Whether a filter that an earlier incarnation of the region published may be trusted somewhere,
   * as far as the ledger knows.
   */
  public synchronized boolean wasTrusted() {
    return wasTrusted;
  }

  /**
   * The region publishes nothing.
   *
   * @param condition whether what was trusted before still may be; asked with every write
   */
  public synchronized void trustedWhile(BooleanSupplier condition) {
    stillTrusted = condition;
  }

  /**
   * The region is going to publish its filter: from now on, durably, one may be trusted.
   *
   * @throws IOException if that cannot be made durable; nothing may be published then
   */
  public synchronized void publishing() throws IOException {
    wasTrusted = true;
    stillTrusted = () -> true;
    if (deniesTrust || !isClaimedWithTrust()) {
      replaceOrDelete();
    }
  }

  /**
   * Sees to it that no server that had the region before can deny trust any more; returns whether
   * none has done so since the ledger was read.
   */
  private boolean isClaimedWithTrust() {
    try {
      store.claim();
      return store.read().map(LedgerRecord::trusted).orElse(true);
    } catch (IOException e) {
      LOG.warn("Cannot take over the index ledger {}; it is written anew", store, e);
      return false;
    }
  }

  /**
   * A region that keeps no index: what was built is left as it is, and only trust is kept track of.
   */
  public synchronized void unindexed() {
    open = true;
  }

  /**
   * The stored filter that belongs to the files of the ledger. It stays right through all that the
   * ledger follows: a flush adds postings with later timestamps only, and a compaction changes
   * nothing about which postings are live. Other files void it with the ledger.
   */
  @Override
  public synchronized Optional<Held> held() {
    return record.filter();
  }

  @Override
  public synchronized boolean hold(Held stored) {
    record = record.withFilter(Optional.of(stored));
    write();
    return open && !closing && !behind;
  }

  /** Takes note of a new store file; it becomes durable with the next write. */
  public synchronized void fileAdded(String file) {
    passedBy.addAll(unsettled);
    replaceFiles(Set.of(), file);
  }

  /**
   * A batch is about to be given to the log (P14). HBase flushes nothing between this and the
   * moment when the batch is in the memstore, or has failed; so of the batches that are {@linkplain
   * #settled unsettled} when a flush has made its file, all that precede the flush have failed, and
   * the ledger waits until it knows. Waits for nothing itself.
   */
  public void logged(Object batch) {
    unsettled.add(batch);
  }

  /** The batch is in the memstore, or {@link #forsake} was called for it. Waits for nothing. */
  public void settled(Object batch) {
    unsettled.remove(batch);
    if (heldUp) {
      whenBehind.run();
    }
  }

  /** Whether a flush that the record knows of may have passed by a batch that was lost. */
  private boolean isHeldUp() {
    heldUp = true; // Before the look at the batches: whoever settles one after it wakes the writer.
    passedBy.retainAll(unsettled);
    heldUp = !passedBy.isEmpty();
    return heldUp;
  }

  /** Takes note that files were rewritten into another one, and writes. */
  public synchronized void filesReplaced(Collection<String> inputs, String output) {
    replaceFiles(inputs, output);
    write();
  }

  /**
   * Drops files that HBase removed without telling anyone, because all they held had expired, and
   * writes.
   *
   * @param actual the files that the region uses now. Files of which the observer heard may be
   *     missing here for a moment, since HBase announces a file before it uses it; files that are
   *     only here are not taken over, since nobody announced them
   */
  public synchronized void synchronize(Collection<String> actual) {
    announced.removeAll(actual);
    NavigableSet<String> files = new TreeSet<>(record.files());
    files.removeIf(file -> !actual.contains(file) && !announced.contains(file));
    record = record.withFiles(files);
    write();
  }

  /**
   * Takes note that these indexes are complete up to {@code checkpoint}, exclusive.
   *
   * @param certainAfter the latest timestamp of a posting when they began to be built
   */
  public synchronized void progress(
      Map<Integer, Integer> fingerprints, byte[] checkpoint, long certainAfter) {
    putAll(fingerprints, fingerprint -> Entry.building(fingerprint, checkpoint, certainAfter));
  }

  /**
   * Takes note that these indexes are complete.
   *
   * @param certainAfter the latest timestamp of a posting when they began to be built
   */
  public synchronized void built(Map<Integer, Integer> fingerprints, long certainAfter) {
    putAll(fingerprints, fingerprint -> Entry.built(fingerprint, certainAfter));
  }

  /**
   * Forgets, durably, that anything was built.
   *
   * @throws IOException if that cannot be made durable; nothing that relies on it may go on then
   */
  public synchronized void forgetAll() throws IOException {
    record = record.withIndexes(new TreeMap<>());
    if (open) {
      replaceOrDelete();
    } else {
      store.delete();
    }
  }

  /**
   * Has the next open of the region trust nothing that was built. It is in whatever is written from
   * now on, and so in what is written after a flush. Waits for nothing, also while something is
   * being written.
   */
  public void forsake() {
    forsaken = true;
    whenBehind.run();
  }

  /** A store that has no room for a new record can still let go of the old one. */
  private void replaceOrDelete() throws IOException {
    try {
      replace();
    } catch (IOException e) {
      whenBehind.run();
      try {
        store.delete();
        deniesTrust = false;
      } catch (IOException deleting) {
        if (deleting != e) {
          e.addSuppressed(deleting);
        }
        throw e;
      }
    }
  }

  /** Forgets one index, as durably as can be had. */
  public synchronized void forget(int indexId) {
    NavigableMap<Integer, Entry> indexes = new TreeMap<>(record.indexes());
    if (indexes.remove(indexId) != null) {
      record = record.withIndexes(indexes);
      write();
    }
  }

  /**
   * The region closes: nothing is written before it has closed, and then once. A server that dies
   * in between leaves what was true before.
   */
  public synchronized void closing() {
    closing = true;
  }

  /** Writes a last time, with the files that the closing region flushed, and never again. */
  public synchronized void close() {
    closing = false;
    passedBy.clear(); // All families are flushed: nothing comes back from the log.
    write();
    open = false;
  }

  /**
   * Writes what could not be written before; does nothing if all is written, or if it has to wait
   * for a batch, whose end calls for it again.
   *
   * @throws IOException if it cannot be written now either
   */
  public synchronized void catchUp() throws IOException {
    boolean waits = isHeldUp(); // looked at in any case, or batches would call for this for ever
    if (open && !closing && (behind || forsaken && !forsakenStored) && !waits) {
      replace();
    }
  }

  /** Never writes again, because the region is being given up without a flush. */
  public synchronized void abandon() {
    open = false;
  }

  private void replaceFiles(Collection<String> inputs, String output) {
    NavigableSet<String> files = new TreeSet<>(record.files());
    files.removeAll(inputs);
    announced.removeAll(inputs);
    files.add(output);
    announced.add(output);
    record = record.withFiles(files);
  }

  private void putAll(Map<Integer, Integer> fingerprints, IntFunction<Entry> entry) {
    NavigableMap<Integer, Entry> indexes = new TreeMap<>(record.indexes());
    fingerprints.forEach((id, fingerprint) -> indexes.put(id, entry.apply(fingerprint)));
    record = record.withIndexes(indexes);
    write();
  }

  private void write() {
    if (!open || closing) {
      return;
    }
    if (isHeldUp()) {
      behind = true;
      return;
    }
    try {
      replace();
    } catch (IOException e) {
      whenBehind.run(); // it is logged and counted
    }
  }

  private void replace() throws IOException {
    try {
      record = record.withTrust(wasTrusted && stillTrusted.getAsBoolean());
      deniesTrust |= !record.trusted();
      boolean nothing = forsaken;
      store.replace(nothing ? record.withNothingBuilt() : record);
      forsakenStored = nothing;
      deniesTrust = !record.trusted();
      behind = false;
    } catch (IOException | RuntimeException e) {
      behind = true;
      metrics.increment(IndexCounter.LEDGER_WRITES_FAILED);
      LOG.warn(
          "Cannot write the index ledger {}; it is tried again, and if the region is opened anew"
              + " before that has succeeded, its indexes are rebuilt",
          store,
          e);
      throw e instanceof IOException io ? io : new IOException("Cannot write " + store, e);
    }
  }

  private static String describeDifference(Set<String> expected, Set<String> actual) {
    Set<String> unknown = new TreeSet<>(actual);
    unknown.removeAll(expected);
    Set<String> gone = new TreeSet<>(expected);
    gone.removeAll(actual);
    return "the region's store files are not those of the ledger: "
        + some(unknown)
        + " unknown, "
        + some(gone)
        + " gone";
  }

  private static String some(Set<String> files) {
    return files.isEmpty()
        ? "none"
        : files.size() + " (" + files.iterator().next() + (files.size() > 1 ? ", …)" : ")");
  }
}
