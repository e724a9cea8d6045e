/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.entry;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One entry of the index: the row that has, or had, these values.
 *
 * @param indexId which index
 * @param values one per column of the index in its {@link PostingForm}, null where the row lacks
 *     the column; of a value longer than 512 bytes only the beginning
 * @param row the data row key
 */
@InterfaceAudience.Private
public record Posting(int indexId, List<byte[]> values, byte[] row) {
  public Posting {
    // List.copyOf refuses the nulls that stand for absent columns.
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }
}
