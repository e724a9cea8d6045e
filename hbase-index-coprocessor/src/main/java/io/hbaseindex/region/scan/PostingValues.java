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
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the values of columns, and the times of their cells, out of postings. Not thread-safe. */
final class PostingValues {
  private static final Logger LOG = LoggerFactory.getLogger(PostingValues.class);

  private static final String UNREADABLE =
      "A row is read: its posting could not be; check and repair the index";

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
    Optional<IndexDefinition> index = indexOf(key);
    if (index.isEmpty()) {
      return List.of();
    }
    int position = index.get().columns().indexOf(column);
    int included = index.get().included().indexOf(column);
    try {
      if (position >= 0) {
        return inKey(key, index.get()).subList(position, position + 1);
      }
      return included < 0
          ? List.of()
          : carried(posting, index.get())
              .map(held -> valueOf(held.included().get(included)))
              .orElse(List.of());
    } catch (MalformedPostingException e) {
      LOG.warn(UNREADABLE, e);
      return List.of();
    }
  }

  /**
   * As {@link #of}, but for the time of the column's cell in place of its value.
   *
   * @param form what is made of the time
   */
  List<byte[]> timeOf(CertainPosting posting, ColumnRef column, LongFunction<byte[]> form) {
    byte[] key = posting.key();
    Optional<IndexDefinition> index = indexOf(key);
    int position = index.map(i -> i.heldColumns().indexOf(column)).orElse(-1);
    if (position < 0) {
      return List.of();
    }
    try {
      Optional<CarriedCells> held = carried(posting, index.get());
      return held.isEmpty() ? List.of() : timeAt(position, key, index.get(), held.get(), form);
    } catch (MalformedPostingException e) {
      LOG.warn(UNREADABLE, e);
      return List.of();
    }
  }

  private List<byte[]> timeAt(
      int position,
      byte[] key,
      IndexDefinition index,
      CarriedCells held,
      LongFunction<byte[]> form) {
    int indexed = index.columns().size();
    if (position >= indexed) {
      CarriedCells.Cell cell = held.included().get(position - indexed);
      return Collections.singletonList(cell == null ? null : form.apply(cell.timestamp()));
    }
    boolean absent = inKey(key, index).get(position) == null;
    return Collections.singletonList(absent ? null : form.apply(held.timestamps().get(position)));
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

  private Optional<IndexDefinition> indexOf(byte[] key) {
    int id = keys.indexIdOf(key, 0, key.length);
    return indexes.stream().filter(index -> index.id() == id).findFirst();
  }

  private Optional<CarriedCells> carried(CertainPosting posting, IndexDefinition index) {
    return CarriedCells.in(posting.value(), index.columns().size(), index.included().size())
        .filter(held -> held.until() >= now);
  }

  /** Of a cell that the row lacks, a list of null: that is known, too. */
  private static List<byte[]> valueOf(CarriedCells.Cell cell) {
    return Collections.singletonList(cell == null ? null : cell.value());
  }
}
