/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells which indexes of a region hold a posting for every value that a row of it can show. */
@FunctionalInterface
@InterfaceAudience.Private
public interface IndexReadiness {
  /**
   * A token if readers may rely on the index, and another token each time it becomes ready again.
   *
   * <p>A scan asks before it takes its read point and again after: the postings of a build that
   * ended in between may lie above the read point, and a bulk load in between may lie below it.
   * Only with the same token both times are the postings at the read point complete. Cheap, and
   * safe from any thread.
   */
  Optional<ReadyIndex> token(int indexId);

  /** Whether readers may rely on the index at this moment. */
  default boolean isReady(int indexId) {
    return token(indexId).isPresent();
  }
}
