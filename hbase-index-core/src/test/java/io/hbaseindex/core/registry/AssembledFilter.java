/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.route.IndexCoverage;
import java.util.List;

/** A filter as a registry puts it together, for tests of what region servers send. */
public final class AssembledFilter {
  private final StagedFilter staged;

  public AssembledFilter(long generation, List<IndexCoverage> coverage, int maxSegments) {
    this.staged =
        new StagedFilter(generation, coverage, maxSegments, new MatrixBudget(Long.MAX_VALUE));
  }

  public void add(StageChunk chunk) {
    staged.add(chunk);
  }

  public void apply(ApplyPage page) {
    staged.apply(page);
  }

  public boolean isComplete() {
    return staged.isComplete();
  }

  public FilterSnapshot snapshot() {
    return staged.snapshot();
  }

  public long bytes() {
    return staged.bytes();
  }
}
