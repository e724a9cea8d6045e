/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.predicate.ValueRange;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** The bounds of postings, taken from their keys alone. */
@InterfaceAudience.Private
public final class PostingBounds {
  private PostingBounds() {}

  private record Ends(byte[] least, byte[] greatest) {
    Ends with(byte[] value) {
      return new Ends(
          Arrays.compareUnsigned(value, least) < 0 ? value : least,
          Arrays.compareUnsigned(value, greatest) > 0 ? value : greatest);
    }

    ValueRange range() {
      return ValueRange.equalTo(least).hull(ValueRange.equalTo(greatest));
    }
  }

  /**
   * What the first columns of some postings lie in.
   *
   * @param postings index row keys of one region
   */
  public static RegionBounds of(IndexRowKeys keys, Iterable<byte[]> postings) {
    Map<Integer, Ends> ends = new HashMap<>();
    for (byte[] posting : postings) {
      byte[] value = keys.firstValue(posting);
      ends.merge(
          keys.indexIdOf(posting, 0, posting.length),
          new Ends(value, value),
          (known, same) -> known.with(value));
    }
    Map<Integer, ValueRange> ranges = new HashMap<>();
    ends.forEach((index, range) -> ranges.put(index, range.range()));
    return RegionBounds.of(ranges, false);
  }
}
