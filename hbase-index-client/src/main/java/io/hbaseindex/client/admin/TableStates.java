/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.core.definition.IndexDefinition;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the indexes of a table are doing in each of its regions.
 *
 * @param table the table
 * @param indexes what its descriptor declares, by name; empty for a table without index
 * @param regions its regions in key order; empty for a table without index
 */
@InterfaceAudience.Private
public record TableStates(
    TableName table, List<IndexDefinition> indexes, List<RegionState> regions) {

  public TableStates {
    indexes = List.copyOf(indexes);
    regions = List.copyOf(regions);
  }

  /** Whether scans may use every index in every region. */
  public boolean isReady() {
    return regions.stream().allMatch(region -> region.isReady(indexes));
  }

  /** Whether waiting makes no sense: in every region all indexes are ready or never will be. */
  public boolean isSettled() {
    return regions.stream().allMatch(region -> region.isSettled(indexes));
  }

  /** One sentence for each region and index that is not ready. */
  public List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (RegionState region : regions) {
      int told = reasons.size();
      String where = "region " + region.encodedName() + ": ";
      region.problem().ifPresent(problem -> reasons.add(where + problem));
      region.status().flatMap(RegionStatus::unindexed).ifPresent(why -> reasons.add(where + why));
      region.status().map(RegionStatus::indexes).orElse(List.of()).stream()
          .filter(index -> index.phase() != IndexStatus.Phase.READY)
          .map(index -> where + index.name() + " " + index.phase() + ", " + index.reason())
          .forEach(reasons::add);
      if (reasons.size() == told && !region.isSettled(indexes)) {
        reasons.add(where + "it has not been opened with the table's present indexes yet");
      }
    }
    return reasons;
  }

  Progress.Step progress(Progress.Work work) {
    int settled = (int) regions.stream().filter(region -> region.isSettled(indexes)).count();
    long rows =
        regions.stream()
            .flatMap(region -> region.status().stream())
            .flatMap(status -> status.indexes().stream())
            .mapToLong(IndexStatus::rowsDone)
            .sum();
    return new Progress.Step(work, settled, regions.size(), rows);
  }
}
