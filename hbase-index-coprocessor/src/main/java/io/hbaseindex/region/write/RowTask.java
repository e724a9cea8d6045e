/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One row whose postings are to be set right.
 *
 * @param row the data row
 * @param suspects keys of postings of this row that are to be ended if the row does not call for
 *     them
 */
@InterfaceAudience.Private
public record RowTask(byte[] row, List<byte[]> suspects) {
  public RowTask {
    suspects = List.copyOf(suspects);
  }

  /** Both tasks of one row in one. */
  RowTask and(RowTask other) {
    List<byte[]> all = new ArrayList<>(suspects);
    all.addAll(other.suspects);
    return new RowTask(row, all);
  }

  /** A row that may lack postings. */
  public static RowTask of(byte[] row) {
    return new RowTask(row, List.of());
  }
}
