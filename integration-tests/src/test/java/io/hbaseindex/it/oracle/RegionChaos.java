/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.it.cluster.RegionEvents;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/** Does to the regions of one table what happens to regions in the wild, one event at a time. */
final class RegionChaos {

  /** What can happen to a region. */
  enum Event {
    FLUSH,
    MINOR_COMPACTION,
    MAJOR_COMPACTION,
    SPLIT,
    MERGE,
    MOVE,
    /** Not one region alone, see {@link Crashes}. */
    SERVER_ABORT
  }

  private static final int FEWEST_REGIONS = 2;
  private static final int MOST_REGIONS = 7;

  private final TestCluster cluster;
  private final TableName table;
  private final Universe universe;
  private final SplittableRandom random;

  RegionChaos(TestCluster cluster, TableName table, Universe universe, SplittableRandom random) {
    this.cluster = cluster;
    this.table = table;
    this.universe = universe;
    this.random = random;
  }

  /** Makes {@code event} happen; what happened instead if the table allowed no such event now. */
  Event happen(Event event) throws IOException {
    RegionEvents regions = cluster.regions();
    List<RegionInfo> all = regions.of(table);
    int at = random.nextInt(all.size());
    RegionInfo region = all.get(at);
    switch (event) {
      case FLUSH -> regions.flush(region);
      case MINOR_COMPACTION -> {
        regions.flush(region);
        regions.minorCompact(region);
      }
      case MAJOR_COMPACTION -> {
        regions.flush(region);
        regions.majorCompact(region);
      }
      case SPLIT -> {
        List<byte[]> keys = keysInside(region);
        if (all.size() >= MOST_REGIONS || keys.isEmpty()) {
          return happen(Event.MERGE);
        }
        regions.majorCompactReferences(region);
        regions.split(region, keys.get(random.nextInt(keys.size())));
      }
      case MERGE -> {
        if (all.size() <= FEWEST_REGIONS) {
          return happen(Event.SPLIT);
        }
        int left = Math.min(at, all.size() - 2);
        regions.majorCompactReferences(all.get(left));
        regions.majorCompactReferences(all.get(left + 1));
        regions.merge(all.get(left), all.get(left + 1));
      }
      case MOVE -> {
        List<ServerName> targets = new ArrayList<>(cluster.servers().live());
        targets.remove(regions.serverOf(region));
        regions.move(region, targets.get(random.nextInt(targets.size())));
      }
      default -> throw new AssertionError(event);
    }
    return event;
  }

  /**
   * Rows of the universe that would cut the region in two. A key that ends in a zero byte could
   * leave one half without room for index keys, which another test looks at.
   */
  private List<byte[]> keysInside(RegionInfo region) {
    return universe.rows().stream()
        .filter(row -> row[row.length - 1] != 0)
        .filter(row -> region.containsRow(row) && !Bytes.equals(row, region.getStartKey()))
        .toList();
  }
}
