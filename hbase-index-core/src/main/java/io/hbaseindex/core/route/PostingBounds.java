/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.entry.IndexRowKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.yetus.audience.InterfaceAudience;

/** The bounds of postings, taken from their keys alone. */
@InterfaceAudience.Private
public final class PostingBounds {
  /** What every value begins with. */
  private static final byte[] ANY = {};

  private PostingBounds() {}

  /**
   * What the first columns of some postings have.
   *
   * @param narrow tells by the id of an index whether ranges of it are routed; those of others may
   *     have any value as soon as they have one
   * @param postings index row keys of one region
   */
  public static RegionBounds of(IndexRowKeys keys, IntPredicate narrow, Iterable<byte[]> postings) {
    Map<Integer, List<byte[]>> values = new HashMap<>();
    for (byte[] posting : postings) {
      int index = keys.indexIdOf(posting, 0, posting.length);
      List<byte[]> some = values.computeIfAbsent(index, id -> new ArrayList<>());
      if (narrow.test(index)) {
        some.add(keys.firstColumn(posting));
      } else if (some.isEmpty()) {
        some.add(ANY);
      }
    }
    return RegionBounds.ofValues(values);
  }
}
