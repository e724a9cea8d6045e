/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.status;

import io.hbaseindex.core.definition.IndexDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the indexes of a table are doing in each of its regions.
 *
 * @param table the table
 * @param indexes what its descriptor declares, by name; empty for a table without index
 * @param regions its regions in key order; empty for a table without index
 */
@InterfaceAudience.Public
public record TableStates(
    TableName table, List<IndexDefinition> indexes, List<RegionState> regions) {

  /** Copies the lists. */
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
    return regions.stream().flatMap(region -> reasons(region, false)).toList();
  }

  /** One sentence for each region and index that never will be ready as things are. */
  public List<String> hopeless() {
    return regions.stream().flatMap(region -> reasons(region, true)).toList();
  }

  private Stream<String> reasons(RegionState region, boolean hopelessOnly) {
    List<String> reasons = new ArrayList<>();
    Optional<RegionStatus> status = region.status();
    status.flatMap(RegionStatus::unindexed).ifPresent(reasons::add);
    status.map(RegionStatus::indexes).orElse(List.of()).stream()
        .filter(index -> index.phase() != IndexStatus.Phase.READY)
        .filter(index -> !hopelessOnly || isHopeless(index))
        .map(index -> index.name() + " " + index.phase() + ", " + index.reason())
        .forEach(reasons::add);
    if (!hopelessOnly) {
      region.problem().ifPresent(reasons::add);
      if (reasons.isEmpty() && !region.isSettled(indexes)) {
        reasons.add("it has not been opened with the table's present indexes yet");
      }
    }
    return reasons.stream().map(reason -> "region " + region.encodedName() + ": " + reason);
  }

  /** Indexes that the table does not declare any more do not count. */
  private boolean isHopeless(IndexStatus index) {
    return index.phase() == IndexStatus.Phase.UNSUPPORTED
        && indexes.stream().anyMatch(declared -> declared.id() == index.id());
  }

  /** What the regions say of themselves that have answered, in key order. */
  public List<RegionStatus> statuses() {
    return regions.stream().flatMap(region -> region.status().stream()).toList();
  }

  /** What the regions have counted since they opened, added up by name. */
  public Map<String, Long> counters() {
    Map<String, Long> sums = new TreeMap<>();
    for (RegionStatus region : statuses()) {
      region.counters().forEach((name, value) -> sums.merge(name, value, Long::sum));
    }
    return sums;
  }

  /** What the postings of all regions that have answered take in store files. */
  public PostingSize postings() {
    return statuses().stream()
        .flatMap(status -> status.postings().stream())
        .reduce(PostingSize.NONE, PostingSize::plus);
  }

  /**
   * How far the building has come. Regions that have not begun count as much as the others do on
   * average.
   */
  public Progress.Step progress(Progress.Work work) {
    int settled = (int) regions.stream().filter(region -> region.isSettled(indexes)).count();
    long rows = 0;
    long expected = 0;
    int known = 0;
    int unknown = 0;
    for (RegionState region : regions) {
      rows += most(region, IndexStatus::rowsDone);
      long ofRegion = most(region, IndexStatus::rowsExpected);
      expected += ofRegion;
      known += ofRegion > 0 ? 1 : 0;
      unknown += ofRegion == 0 && !region.isSettled(indexes) ? 1 : 0;
    }
    long ofUnknown = known == 0 ? 0 : expected * unknown / known;
    return new Progress.Step(work, settled, regions.size(), rows, expected + ofUnknown);
  }

  /** Indexes are built together, row by row; those that wait or are built count before others. */
  private long most(RegionState region, ToLongFunction<IndexStatus> figure) {
    List<IndexStatus> all = region.status().map(RegionStatus::indexes).orElse(List.of());
    List<IndexStatus> unsettled = all.stream().filter(index -> !index.isSettled()).toList();
    return (unsettled.isEmpty() ? all : unsettled).stream().mapToLong(figure).max().orElse(0);
  }
}
