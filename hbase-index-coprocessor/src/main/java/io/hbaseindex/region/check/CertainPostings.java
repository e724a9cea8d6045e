/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.check;

import io.hbaseindex.core.definition.IndexDefinition;
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
 * a compaction may do to the row.
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
                && shows(suspect, readPoint);
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

  private boolean shows(Suspect suspect, long readPoint) throws IOException {
    return shown.suspects(List.of(suspect.row()), List.of(suspect.index()), readPoint).stream()
        .anyMatch(fault -> Arrays.equals(fault.indexRow(), suspect.posting().key()));
  }
}
