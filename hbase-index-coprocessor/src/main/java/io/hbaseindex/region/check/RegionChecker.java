/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.check;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.region.context.PostingPages;
import io.hbaseindex.region.context.ReadyIndex;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.lifecycle.IndexSet;
import io.hbaseindex.region.lifecycle.RowDiscovery;
import io.hbaseindex.region.lifecycle.RowIndexing;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.write.RegionSnapshot;
import io.hbaseindex.region.write.WritePath;
import io.hbaseindex.region.write.plan.UnindexableRowException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the rows of a region with its postings in both directions, while the region is written
 * to, and mends what it finds if asked.
 *
 * <p>Which postings a row must have is computed by the function that writes go by, and beside it
 * from what an ordinary scan shows of the row, which that function might be wrong about. Rows and
 * postings are read at one read point; since a write's data and postings become visible together,
 * what differs there is a fault and not a write under way. No lock is taken. A repair is a write
 * like those of the builder and judges anew, under the row's lock.
 *
 * <p>Rows are only checked for missing postings of indexes that are ready before and after the
 * piece is looked at: others are known to be incomplete. A row whose postings cannot be told, since
 * it would need too many, is left out for that index, counted and named in the log; the rest of the
 * region is checked all the same.
 */
@InterfaceAudience.Private
public final class RegionChecker {

  private static final Logger LOG = LoggerFactory.getLogger(RegionChecker.class);

  /** Bounds the work and the memory of one call, whatever the caller asks for. */
  private static final int MAX_PIECE = 1_000;

  private final Region region;
  private final RegionIndexes indexes;
  private final IndexSet indexSet;
  private final WritePath writePath;
  private final Set<Integer> mayBeStale;
  private final RowDiscovery rows;
  private final ShownPostings shown;
  private final CertainPostings certain;
  private final PostingPages postings;

  public RegionChecker(RegionIndexes indexes, WritePath writePath) {
    this.region = indexes.region();
    this.indexes = indexes;
    this.indexSet = new IndexSet(indexes.definitions().definitions());
    this.writePath = writePath;
    this.mayBeStale = indexSet.idsWithStalePostings(region.getTableDescriptor());
    this.rows = new RowDiscovery(region, indexSet.families());
    this.shown = new ShownPostings(region, indexes.keys());
    this.certain = new CertainPostings(indexes, indexSet, writePath, shown);
    this.postings = new PostingPages(region, indexes.keys().all());
  }

  /**
   * What a piece of a check has found.
   *
   * @param checked rows looked at, or live postings of the indexes there are
   * @param faults what is wrong
   * @param next where the next piece begins; empty when there is none
   */
  public record Piece(int checked, List<Fault> faults, Optional<byte[]> next) {}

  /** Looks for postings that rows from {@code first} on lack. */
  public Piece checkRows(byte[] first, int limit) throws IOException {
    Map<Integer, ReadyIndex> ready = readyIndexes();
    try (PinnedReadPoint pin = PinnedReadPoint.of(region);
        RegionSnapshot snapshot = writePath.at(pin.get())) {
      RowDiscovery.Page page = rows.from(first, bounded(limit));
      Map<byte[], Fault> suspects = new TreeMap<>(Arrays::compareUnsigned);
      Verdicts verdicts = new Verdicts(snapshot);
      for (byte[] row : page.rows()) {
        for (int indexId : ready.keySet()) {
          for (byte[] indexRow : verdicts.of(row, indexId).orElse(Set.of())) {
            suspects.put(indexRow, new Fault(Fault.Kind.MISSING, indexId, row, indexRow));
          }
        }
      }
      verdicts.report();
      List<IndexDefinition> asked =
          indexSet.definitions().stream().filter(index -> ready.containsKey(index.id())).toList();
      for (Fault suspect : shown.suspects(page.rows(), asked, pin.get())) {
        suspects.putIfAbsent(suspect.indexRow(), suspect);
      }
      Set<byte[]> live = snapshot.live(suspects.keySet());
      List<Fault> faults = new ArrayList<>(suspects.values());
      faults.removeIf(fault -> live.contains(fault.indexRow()) || wasUnready(fault, ready));
      return new Piece(page.rows().size(), faults, page.next());
    }
  }

  private boolean wasUnready(Fault fault, Map<Integer, ReadyIndex> ready) {
    return indexes.readiness().token(fault.indexId()).orElse(null) != ready.get(fault.indexId());
  }

  /** Looks for postings from {@code first} on that name rows which do not call for them. */
  public Piece checkPostings(byte[] first, int limit) throws IOException {
    byte[] from = first.length == 0 ? postings.first() : first;
    try (PinnedReadPoint pin = PinnedReadPoint.of(region);
        RegionSnapshot snapshot = writePath.at(pin.get())) {
      PostingPages.Page page = postings.at(pin.get(), from, bounded(limit));
      List<Fault> faults = new ArrayList<>();
      for (byte[] indexRow : page.live()) {
        int indexId = indexes.keys().indexIdOf(indexRow, 0, indexRow.length);
        Fault.Kind kind = mayBeStale.contains(indexId) ? Fault.Kind.STALE : Fault.Kind.DANGLING;
        indexSet
            .dataRowOf(indexRow, indexes.keys())
            .ifPresent(row -> faults.add(new Fault(kind, indexId, row, indexRow)));
      }
      int compared = faults.size();
      faults.sort(Comparator.comparing(Fault::row, Arrays::compareUnsigned));
      Verdicts verdicts = new Verdicts(snapshot);
      Iterator<Fault> suspects = faults.iterator();
      while (suspects.hasNext()) {
        Fault suspect = suspects.next();
        Optional<Set<byte[]>> called = verdicts.of(suspect.row(), suspect.indexId());
        if (called.isEmpty() || called.get().contains(suspect.indexRow())) {
          suspects.remove();
        }
      }
      verdicts.report();
      Set<byte[]> found = new TreeSet<>(Arrays::compareUnsigned);
      faults.forEach(fault -> found.add(fault.indexRow()));
      for (Fault overstated : certain.overstated(page.certain(), pin.get())) {
        if (!found.contains(overstated.indexRow())) {
          faults.add(overstated);
        }
      }
      return new Piece(compared, faults, page.next());
    }
  }

  /** Which postings rows call for, as far as that can be told. */
  private final class Verdicts {
    private final RegionSnapshot snapshot;
    private final Set<String> leftOut = new TreeSet<>();

    Verdicts(RegionSnapshot snapshot) {
      this.snapshot = snapshot;
    }

    /** Empty if it cannot be told. */
    Optional<Set<byte[]>> of(byte[] row, int indexId) throws IOException {
      try {
        return Optional.of(snapshot.postingsOf(row, indexId));
      } catch (UnindexableRowException e) {
        leftOut.add(e.getMessage());
        return Optional.empty();
      }
    }

    void report() {
      indexes.metrics().add(IndexCounter.ROWS_NOT_CHECKED, leftOut.size());
      leftOut.forEach(why -> LOG.warn("A check leaves out a row: {}", why));
    }
  }

  /** Mends faults and returns how many of them needed it. */
  public long repair(List<Fault> faults) throws IOException {
    RowIndexing indexing = new RowIndexing(writePath.reindexer());
    List<byte[]> incomplete =
        faults.stream().filter(RegionChecker::isWrittenAnew).map(Fault::row).toList();
    List<byte[]> dangling =
        faults.stream().filter(f -> !isWrittenAnew(f)).map(Fault::indexRow).toList();
    long repaired = 0;
    if (!incomplete.isEmpty()) {
      RowIndexing.Obstacles obstacles = indexing.index(incomplete, indexSet.ids());
      if (!obstacles.isEmpty()) {
        throw new IOException(
            "Cannot repair region "
                + region.getRegionInfo().getEncodedName()
                + ": "
                + obstacles.reasons());
      }
      repaired += incomplete.size();
    }
    if (!dangling.isEmpty()) {
      repaired += indexing.endIfStale(dangling, indexes.keys(), indexSet);
    }
    return repaired;
  }

  /** Whether a fault is mended by writing the row's postings, and not by ending one of them. */
  private static boolean isWrittenAnew(Fault fault) {
    return fault.kind() == Fault.Kind.MISSING || fault.kind() == Fault.Kind.OVERSTATED;
  }

  private static int bounded(int limit) {
    return Math.max(1, Math.min(limit, MAX_PIECE));
  }

  private Map<Integer, ReadyIndex> readyIndexes() {
    Map<Integer, ReadyIndex> ready = new HashMap<>();
    for (IndexDefinition index : indexSet.definitions()) {
      indexes.readiness().token(index.id()).ifPresent(token -> ready.put(index.id(), token));
    }
    return ready;
  }
}
