/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.region.context.ReadyIndex;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Which postings a scan takes for certain.
 *
 * @param ready the indexes that it relies on, by id
 * @param now when the scan began, in ms since 1970
 * @param cells whether the cells that they carry are wanted
 */
@InterfaceAudience.Private
public record Certainty(Map<Integer, ReadyIndex> ready, long now, boolean cells) {
  /** Takes none for certain. */
  public static final Certainty NONE = new Certainty(Map.of(), Long.MAX_VALUE, false);

  /** The timestamp above which postings of an index are believed. */
  long after(int indexId) {
    ReadyIndex index = ready.get(indexId);
    return index == null ? Long.MAX_VALUE : index.certainAfter();
  }
}
