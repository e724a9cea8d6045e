/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.region.write.RowReindexer;
import io.hbaseindex.region.write.RowTask;
import io.hbaseindex.region.write.plan.TooManyPostingsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowIndexingTest {
  private static final String HOPELESS = "hopeless";

  private final IndexRowKeys keys =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[] {1}).orElseThrow();
  private final IndexSet indexes =
      new IndexSet(
          TableIndexes.none()
              .with(IndexDefinition.on("f", "a").named("one").lazy(), () -> 1)
              .with(IndexDefinition.on("f", "b").named("two").lazy(), () -> 1)
              .definitions());
  private final List<String> reindexed = new ArrayList<>();
  private final RowIndexing indexing = new RowIndexing(this::reindex);

  /** Ends every suspect; index 1 and sweeps cannot take the hopeless row. */
  private RowReindexer.Result reindex(List<RowTask> tasks, Set<Integer> indexIds)
      throws TooManyPostingsException {
    for (RowTask task : tasks) {
      if (text(task.row()).equals(HOPELESS) && (indexIds.isEmpty() || indexIds.contains(1))) {
        throw new TooManyPostingsException("compact first");
      }
    }
    tasks.forEach(task -> reindexed.add(text(task.row())));
    return new RowReindexer.Result(0, tasks.stream().mapToInt(t -> t.suspects().size()).sum());
  }

  @Test
  void endIfStale_rowWithTooManyPostings_isSkipped() throws Exception {
    assertThat(
            indexing.endIfStale(
                List.of(posting("a"), posting(HOPELESS), posting("z")), keys, indexes))
        .isEqualTo(2);
    assertThat(reindexed).containsExactly("a", "z");
  }

  @Test
  void index_rowWithTooManyPostings_concernsItsIndexOnlyAndNotForEver() throws Exception {
    RowIndexing.Obstacles obstacles = indexing.index(List.of(bytes(HOPELESS)), Set.of(1, 2));

    assertThat(obstacles.never()).isEmpty();
    assertThat(obstacles.notYet()).containsOnlyKeys(1).containsEntry(1, "compact first");
    assertThat(reindexed).containsExactly(HOPELESS);
  }

  private byte[] posting(String row) {
    return keys.key(1, List.of(bytes("value")), bytes(row));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
