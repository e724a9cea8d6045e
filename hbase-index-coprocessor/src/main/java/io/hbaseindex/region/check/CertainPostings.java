/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.check;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.MalformedPostingException;
import io.hbaseindex.region.context.PostingPages;
import io.hbaseindex.region.context.ReadyIndex;
import io.hbaseindex.region.context.RegionIndexes;
import io.hbaseindex.region.lifecycle.IndexSet;
import io.hbaseindex.region.write.RegionSnapshot;
import io.hbaseindex.region.write.WritePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Tells which of the postings that answer for their rows should not. Each is held against what an
 * ordinary scan shows of its row, and against the function that writes go by, which also knows what
 * a compaction may do to the row. So are the cells that it carries.
 */
final class CertainPostings {
  private final RegionIndexes indexes;
  private final IndexSet indexSet;
  private final WritePath writePath;
  private final ShownPostings shown;

  CertainPostings(
      RegionIndexes indexes, IndexSet indexSet, WritePath writePath, ShownPostings shown) {
    this.indexes = indexes;
    this.indexSet = indexSet;
    this.writePath = writePath;
    this.shown = shown;
  }

  /** A posting that readers would take for certain. */
  private record Suspect(IndexDefinition index, byte[] row, PostingPages.Certain posting) {}

  /**
   * The faults among some postings.
   *
   * @param readPoint at which to look; the caller keeps it from being forgotten
   */
  List<Fault> overstated(List<PostingPages.Certain> postings, long readPoint) throws IOException {
    List<Suspect> suspects = new ArrayList<>();
    for (PostingPages.Certain posting : postings) {
      suspect(posting).ifPresent(suspects::add);
    }
    suspects.sort(Comparator.comparing(Suspect::row, Arrays::compareUnsigned));
    List<Fault> faults = new ArrayList<>();
    try (RegionSnapshot snapshot = writePath.at(readPoint)) {
      for (Suspect suspect : suspects) {
        int id = suspect.index().id();
        boolean certain =
            snapshot.certainUntil(suspect.row(), id) >= suspect.posting().until()
                && shows(suspect, readPoint)
                && carriesWhatShows(suspect, snapshot, readPoint);
        if (!certain) {
          byte[] key = suspect.posting().key();
          faults.add(new Fault(Fault.Kind.OVERSTATED, id, suspect.row(), key));
        }
      }
    }
    return faults;
  }

  /** Empty if readers do not believe the posting, or its index is no more. */
  private Optional<Suspect> suspect(PostingPages.Certain posting) {
    byte[] key = posting.key();
    Optional<byte[]> row = indexSet.dataRowOf(key, indexes.keys());
    if (row.isEmpty()) {
      return Optional.empty();
    }
    int id = indexes.keys().indexIdOf(key, 0, key.length);
    Optional<ReadyIndex> ready = indexes.readiness().token(id);
    boolean believed =
        ready.isPresent()
            && posting.timestamp() > ready.get().certainAfter()
            && posting.until() >= writePath.now();
    return believed
        ? indexes.byId(id).map(index -> new Suspect(index, row.get(), posting))
        : Optional.empty();
  }

  /** Whether the cells that a posting carries, if it does, are those of the row. */
  private boolean carriesWhatShows(Suspect suspect, RegionSnapshot snapshot, long readPoint)
      throws IOException {
    IndexDefinition index = suspect.index();
    byte[] value = suspect.posting().value();
    Optional<CarriedCells> carried;
    try {
      carried = CarriedCells.in(value, index.columns().size(), index.included().size());
    } catch (MalformedPostingException e) {
      return false;
    }
    if (carried.isEmpty() || carried.get().until() < writePath.now()) {
      return true;
    }
    Optional<CarriedCells> planned = snapshot.carriedBy(suspect.row(), index.id());
    return planned.isPresent()
        && planned.get().until() >= carried.get().until()
        && planned.get().areThe(carried.get())
        && shown.cellsOf(suspect.row(), index, readPoint).areThe(carried.get());
  }

  private boolean shows(Suspect suspect, long readPoint) throws IOException {
    return shown.suspects(List.of(suspect.row()), List.of(suspect.index()), readPoint).stream()
        .anyMatch(fault -> Arrays.equals(fault.indexRow(), suspect.posting().key()));
  }
}
