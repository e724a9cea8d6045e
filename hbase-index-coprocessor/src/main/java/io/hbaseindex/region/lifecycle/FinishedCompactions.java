/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Tells when readers use the files that finished compactions have written.
 *
 * <p>HBase announces the outcome of a compaction before it puts it in the place of what was
 * compacted. Whoever looks at rows between the two still finds all that the compaction has dropped.
 *
 * <p>A compaction may fail after it was announced, and its inputs then stay for good. So nobody is
 * made to wait longer than {@link #MOST_LOOKS} looks: a sweep that comes too early finds less, and
 * the next one finds the rest.
 */
final class FinishedCompactions {

  /** A minute, at the pace of a task that waits at its gate. */
  static final int MOST_LOOKS = 1_200;

  private final Set<String> inputs = new HashSet<>();
  private int looks;

  /** Begins to wait until these files are in use no more. */
  synchronized void await(Collection<String> compactedFiles) {
    inputs.addAll(compactedFiles);
    looks = 0;
  }

  /**
   * @param inUse the files that readers get now
   */
  synchronized boolean areInPlace(Supplier<Collection<String>> inUse) {
    if (inputs.isEmpty()) {
      return true;
    }
    inputs.retainAll(inUse.get());
    if (++looks >= MOST_LOOKS) {
      inputs.clear();
    }
    return inputs.isEmpty();
  }
}
