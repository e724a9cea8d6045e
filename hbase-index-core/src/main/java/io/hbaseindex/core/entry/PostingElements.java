/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.hash.ElementHasher;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The elements that filters hold for postings: one per index and combination of values, whatever
 * the row.
 *
 * <p>What is hashed are the values as they stand in the index row key, so that an element can be
 * taken from a posting alone, also where a long value is kept as prefix and hash only. Whoever asks
 * for values and whoever stores them come to the same element.
 *
 * <p>Immutable and safe for use by many threads.
 */
@InterfaceAudience.Private
public final class PostingElements {
  private final ElementHasher hasher;
  private final int columns;

  private PostingElements(ElementHasher hasher, int columns) {
    this.hasher = hasher;
    this.columns = columns;
  }

  /**
   * The elements of one index.
   *
   * @param seed the seed of the table's hashes
   */
  public static PostingElements of(long seed, IndexDefinition index) {
    return new PostingElements(ElementHasher.of(seed, index.id()), index.columns().size());
  }

  /**
   * The element of a combination of values.
   *
   * @param values one per column of the index, null where a row lacks the column
   */
  public long ofValues(List<byte[]> values) {
    int length = 0;
    for (byte[] value : values) {
      length += ValueCodec.encodedLength(value);
    }
    byte[] encoded = new byte[length];
    int at = 0;
    for (byte[] value : values) {
      at = ValueCodec.write(value, encoded, at);
    }
    return hasher.hash(encoded);
  }

  /** The element of a posting, from its key. */
  public long ofKey(IndexRowKeys keys, byte[] indexRow) {
    int end = keys.dataRowOffset(indexRow, 0, indexRow.length, columns);
    int start = keys.valuesOffset(indexRow, 0);
    return hasher.hash(indexRow, start, end - start);
  }
}
