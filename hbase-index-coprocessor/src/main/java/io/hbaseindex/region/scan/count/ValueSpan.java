/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.count;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.KeyRange;
import io.hbaseindex.region.scan.candidates.RowBounds;
import io.hbaseindex.region.scan.plan.AccessPlan;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The keys of the postings of one value, for the rows of a scan.
 *
 * @param start the first key
 * @param stop the key behind the last one
 * @param rowAt where in each key the row begins
 */
@InterfaceAudience.Private
public record ValueSpan(byte[] start, byte[] stop, int rowAt) {

  /** Empty if keys of the bounds would be longer than HBase allows. */
  public static Optional<ValueSpan> of(
      IndexRowKeys keys, AccessPlan.Lookup lookup, RowBounds rows) {
    KeyRange all = keys.equalTo(lookup.index().id(), lookup.values());
    byte[] beforeRow = all.start();
    byte[] start = Bytes.add(beforeRow, rows.first());
    byte[] stop = rows.end().length > 0 ? Bytes.add(beforeRow, rows.end()) : all.stop();
    boolean fits =
        Math.max(start.length, stop.length) <= IndexRowKeys.MAX_ROW_KEY_LENGTH
            && Arrays.compareUnsigned(start, stop) < 0;
    return fits ? Optional.of(new ValueSpan(start, stop, beforeRow.length)) : Optional.empty();
  }
}
