/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.MalformedPostingException;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the values of columns out of postings. Not thread-safe. */
final class PostingValues {
  private static final Logger LOG = LoggerFactory.getLogger(PostingValues.class);

  private final IndexRowKeys keys;
  private final List<IndexDefinition> indexes;
  private final long now;

  /** The posting read last and its values: neighbours mostly share them. */
  private byte[] latest = {};

  private int latestEnd;
  private List<byte[]> values = List.of();

  /**
   * @param now by which cells that postings carry expire
   */
  PostingValues(IndexRowKeys keys, Collection<IndexDefinition> indexes, long now) {
    this.keys = keys;
    this.indexes = List.copyOf(indexes);
    this.now = now;
  }

  /**
   * The value of a column in a list that holds it, null if the row lacks the column; an empty list
   * if the posting's index does not have the column, or its value cannot be read.
   */
  List<byte[]> of(CertainPosting posting, ColumnRef column) {
    byte[] key = posting.key();
    int id = keys.indexIdOf(key, 0, key.length);
    Optional<IndexDefinition> index = indexes.stream().filter(i -> i.id() == id).findFirst();
    if (index.isEmpty()) {
      return List.of();
    }
    int position = index.get().columns().indexOf(column);
    int included = index.get().included().indexOf(column);
    try {
      if (position >= 0) {
        return inKey(key, index.get()).subList(position, position + 1);
      }
      return included < 0 ? List.of() : carried(posting, index.get(), included);
    } catch (MalformedPostingException e) {
      LOG.warn("A row is read: its posting could not be; check and repair the index", e);
      return List.of();
    }
  }

  private List<byte[]> inKey(byte[] key, IndexDefinition index) {
    int end = keys.dataRowOffset(key, 0, key.length, index.columns().size());
    if (end != latestEnd || !Arrays.equals(key, 0, end, latest, 0, end)) {
      values = keys.cells(key, index);
      latest = key;
      latestEnd = end;
    }
    return values;
  }

  private List<byte[]> carried(CertainPosting posting, IndexDefinition index, int included) {
    return CarriedCells.in(posting.value(), index.columns().size(), index.included().size())
        .filter(held -> held.until() >= now)
        .map(held -> valueOf(held.included().get(included)))
        .orElse(List.of());
  }

  /** Of a cell that the row lacks, a list of null: that is known, too. */
  private static List<byte[]> valueOf(CarriedCells.Cell cell) {
    return Collections.singletonList(cell == null ? null : cell.value());
  }
}
