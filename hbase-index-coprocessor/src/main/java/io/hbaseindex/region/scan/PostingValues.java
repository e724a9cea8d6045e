/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.MalformedPostingException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the values of columns out of the keys of postings. Not thread-safe. */
final class PostingValues {
  private static final Logger LOG = LoggerFactory.getLogger(PostingValues.class);

  private final IndexRowKeys keys;
  private final List<IndexDefinition> indexes;

  /** The posting read last and its values: neighbours mostly share them. */
  private byte[] latest = {};

  private int latestEnd;
  private List<byte[]> values = List.of();

  PostingValues(IndexRowKeys keys, Collection<IndexDefinition> indexes) {
    this.keys = keys;
    this.indexes = List.copyOf(indexes);
  }

  /**
   * The value of a column in a list that holds it, null if the row lacks the column; an empty list
   * if the posting's index does not have the column, or its value cannot be read.
   */
  List<byte[]> of(byte[] posting, ColumnRef column) {
    int id = keys.indexIdOf(posting, 0, posting.length);
    Optional<IndexDefinition> index = indexes.stream().filter(i -> i.id() == id).findFirst();
    int position = index.map(i -> i.columns().indexOf(column)).orElse(-1);
    if (position < 0) {
      return List.of();
    }
    int columns = index.get().columns().size();
    int end = keys.dataRowOffset(posting, 0, posting.length, columns);
    if (end != latestEnd || !Arrays.equals(posting, 0, end, latest, 0, end)) {
      try {
        values = keys.cells(posting, index.get());
      } catch (MalformedPostingException e) {
        LOG.warn("A row is read: its posting could not be; check and repair the index", e);
        return List.of();
      }
      latest = posting;
      latestEnd = end;
    }
    return values.subList(position, position + 1);
  }
}
