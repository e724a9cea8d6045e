/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.LoadableFiles;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.PublishCounters;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;

/** A filter that outlives its process: stored with the region, read by the next who opens it. */
@OnSharedCluster
class StoredFilterIT {
  private static final String PREFIX = ".hbaseindex-filter-";

  private static Map<String, String> people(int from, int to) {
    Map<String, String> people = new TreeMap<>();
    for (int number = from; number < to; number++) {
      people.put("row%05d".formatted(number), "mail" + number);
    }
    return people;
  }

  private static RegionInfo only(TestCluster cluster, RoutingTable table) throws IOException {
    return cluster.regions().of(table.name()).get(0);
  }

  private static void moveAway(TestCluster cluster, RegionInfo region) throws IOException {
    ServerName here = cluster.regions().serverOf(region);
    ServerName there =
        cluster.servers().live().stream().filter(s -> !s.equals(here)).findFirst().orElseThrow();
    cluster.regions().move(region, there);
  }

  private static List<Path> stored(HRegion region) throws IOException {
    FileSystem files = region.getRegionFileSystem().getFileSystem();
    return Arrays.stream(files.listStatus(region.getRegionFileSystem().getRegionDir()))
        .map(FileStatus::getPath)
        .filter(path -> path.getName().startsWith(PREFIX))
        .toList();
  }

  private static void assertFound(RoutingTable table, Map<String, String> people)
      throws IOException {
    for (Map.Entry<String, String> person : people.entrySet()) {
      assertThat(table.find(person.getValue())).as(person.getValue()).contains(person.getKey());
    }
  }

  @Test
  void movedRegion_isPreciseByItsStoredFilter_andForgetsWhatHasGone(TestCluster cluster)
      throws Exception {
    RoutingTable table = RoutingTable.create(cluster);
    table.putAll(people(0, 500));
    table.awaitPrecise();
    table.delete("row00007");
    long loaded = PublishCounters.of("publishFiltersLoaded");
    long rebuilt = PublishCounters.of("publishFilterRebuilds");

    moveAway(cluster, only(cluster, table));
    table.awaitPrecise();

    assertThat(PublishCounters.of("publishFiltersLoaded")).isGreaterThan(loaded);
    assertThat(PublishCounters.of("publishFilterRebuilds")).isEqualTo(rebuilt);
    assertThat(stored(cluster.regions().online(only(cluster, table)))).hasSize(1);
    assertThat(table.preciseRoute("mail7").ranges()).isEmpty();
    table.delete("row00008");
    Waits.until("the end of mail8 to reach the master")
        .until(() -> table.preciseRoute("mail8").ranges().isEmpty());
    Map<String, String> left = people(0, 500);
    left.keySet().removeAll(List.of("row00007", "row00008"));
    assertFound(table, left);
  }

  @Test
  void crashedServersRegion_hasItsStoredFilterAndTheReplayedLog(TestCluster cluster)
      throws Exception {
    RoutingTable table = RoutingTable.create(cluster);
    table.putAll(people(0, 300));
    table.awaitPrecise();
    RegionInfo region = only(cluster, table);
    flushUntilStored(cluster, region);
    table.putAll(people(300, 350));
    table.delete("row00001");
    long loaded = PublishCounters.of("publishFiltersLoaded");
    long read = postingsReadForFilters(table);

    cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
    table.awaitPrecise();

    assertThat(PublishCounters.of("publishFiltersLoaded")).isGreaterThan(loaded);
    assertThat(postingsReadForFilters(table) - read)
        .as("what was replayed, and nothing else")
        .isEqualTo(51);
    Map<String, String> left = people(0, 350);
    left.remove("row00001");
    assertFound(table, left);
    assertThat(table.preciseRoute("nobody").ranges()).isEmpty();
  }

  @Test
  void damagedFilter_isBuiltFromThePostings(TestCluster cluster) throws Exception {
    RoutingTable table = RoutingTable.create(cluster);
    table.putAll(people(0, 300));
    table.awaitPrecise();
    RegionInfo region = only(cluster, table);
    damage(cluster.regions().online(region), flushUntilStored(cluster, region));
    long refused = PublishCounters.of("publishFiltersNotLoaded");

    cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
    table.awaitPrecise();

    assertThat(PublishCounters.of("publishFiltersNotLoaded")).isGreaterThan(refused);
    assertFound(table, people(0, 300));
    assertThat(table.preciseRoute("nobody").ranges()).isEmpty();
  }

  private static long postingsReadForFilters(RoutingTable table) {
    return IndexCounters.of(table.name()).get(IndexCounter.FILTER_POSTINGS_READ);
  }

  /**
   * L1: HDFS refuses every new block below the region's directory, by a space quota. The region
   * opens with the filter that was stored before, and the next one is stored when there is room.
   */
  @Test
  void l1_noRoomForTheFilter_isCountedAndTheRegionStaysRight(TestCluster cluster) throws Exception {
    RoutingTable table = RoutingTable.create(cluster);
    table.putAll(people(0, 3_000));
    table.awaitPrecise();
    RegionInfo region = only(cluster, table);
    Path before = flushUntilStored(cluster, region);
    table.put("row90000", "late mail");
    cluster.regions().flush(region);
    List<ServerName> servers = cluster.servers().live();
    DistributedFileSystem files = cluster.utility().getDFSCluster().getFileSystem();
    long failed = PublishCounters.of("publishFiltersNotStored");
    long read = postingsReadForFilters(table);
    files.setQuota(before.getParent(), HdfsConstants.QUOTA_DONT_SET, 1);
    try {
      moveAway(cluster, region);
      table.awaitPrecise();

      assertThat(PublishCounters.of("publishFiltersNotStored")).isGreaterThan(failed);
      assertThat(cluster.servers().live()).isEqualTo(servers);
      assertThat(postingsReadForFilters(table) - read).isEqualTo(1);
      assertThat(table.find("late mail")).containsExactly("row90000");
      assertThat(table.find("mail2999")).containsExactly("row02999");
      assertThat(table.preciseRoute("nobody").ranges()).isEmpty();
    } finally {
      files.setQuota(before.getParent(), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    }
    moveAway(cluster, region);
    table.awaitPrecise();
    assertThat(stored(cluster.regions().online(region))).hasSize(1).doesNotContain(before);
    assertThat(table.find("late mail")).containsExactly("row90000");
  }

  /** A compaction that drops every posting leaves a file without cells, and so without times. */
  @Test
  void emptyFileOfPostings_saysNothingOfTimes(TestCluster cluster) throws Exception {
    RoutingTable table = RoutingTable.create(cluster);
    table.putAll(people(0, 3));
    table.awaitPrecise();
    RegionInfo region = only(cluster, table);
    for (String row : people(0, 3).keySet()) {
      table.delete(row);
    }
    cluster.regions().flush(region);
    cluster.regions().majorCompact(region);
    assertThat(cluster.regions().online(region).getStore(IndexFamily.bytes()).getStorefiles())
        .allMatch(file -> file.getMaximumTimestamp().getAsLong() == Long.MAX_VALUE);
    moveAway(cluster, region);
    table.awaitPrecise();
    table.putAll(people(10, 20));
    long loaded = PublishCounters.of("publishFiltersLoaded");

    moveAway(cluster, region);
    table.awaitPrecise();

    assertThat(PublishCounters.of("publishFiltersLoaded")).isGreaterThan(loaded);
    assertFound(table, people(10, 20));
    assertThat(table.preciseRoute("mail1").ranges()).isEmpty();
  }

  private static Path flushUntilStored(TestCluster cluster, RegionInfo region) throws IOException {
    long stored = PublishCounters.of("publishFiltersStored");
    cluster.regions().flush(region);
    Waits.until("a filter that the ledger names")
        .until(() -> PublishCounters.of("publishFiltersStored") > stored);
    return Waits.until("a stored filter")
        .until(() -> stored(cluster.regions().online(region)), found -> found.size() == 1)
        .get(0);
  }

  private static void damage(HRegion region, Path path) throws IOException {
    FileSystem files = region.getRegionFileSystem().getFileSystem();
    byte[] bytes;
    try (var in = files.open(path)) {
      bytes = in.readAllBytes();
    }
    bytes[bytes.length / 2] ^= 1;
    try (FSDataOutputStream out = files.create(path, true)) {
      out.write(bytes);
    }
  }

  /** Whatever happens to regions, no live posting is missing in the filter they open with. */
  @Test
  void overARandomLife_noRowIsEverMissed(TestCluster cluster) throws Exception {
    for (long seed : Seed.fixed(274917639L)) {
      Seed.announce(StoredFilterIT.class, seed);
      live(cluster, new Random(seed));
    }
  }

  private static void live(TestCluster cluster, Random random) throws Exception {
    RoutingTable table = RoutingTable.create(cluster, "row00150");
    Map<String, String> live = new TreeMap<>();
    long loaded = PublishCounters.of("publishFiltersLoaded");
    int crashes = 0;
    for (int step = 0; step < 24; step++) {
      write(table, live, random);
      List<RegionInfo> regions = cluster.regions().of(table.name());
      RegionInfo region = regions.get(random.nextInt(regions.size()));
      switch (random.nextInt(9)) {
        case 0, 1 -> cluster.regions().flush(region);
        case 2 -> cluster.regions().minorCompact(region);
        case 3 -> cluster.regions().majorCompact(region);
        case 4, 5 -> moveAway(cluster, region);
        case 6 -> {
          if (regions.size() < 3) {
            cluster.regions().split(region, splitKey(region));
          } else {
            cluster.regions().merge(regions.get(0), regions.get(1));
          }
          // Two servers between which a region moved to and fro send clients of it to each other
          // for
          // two minutes, also when it is gone (HBase keeps what it notes of a move).
          table.forgetLocations();
          cluster.connection().clearRegionLocationCache();
        }
        case 7 -> load(cluster, table, live, random);
        default -> {
          if (crashes++ < 3) {
            cluster.servers().abortAndReplace(cluster.regions().serverOf(region));
          }
        }
      }
      table.awaitPrecise();
      assertFound(table, live);
    }
    assertThat(PublishCounters.of("publishFiltersLoaded")).isGreaterThan(loaded);
  }

  /** Rows come by a file, past all that is told to the filters. */
  private static void load(
      TestCluster cluster, RoutingTable table, Map<String, String> live, Random random)
      throws IOException {
    Map<String, String> loaded = new TreeMap<>();
    for (int row = 0; row < 20; row++) {
      loaded.put("row%05d".formatted(random.nextInt(300)), "mail" + random.nextInt(60));
    }
    List<KeyValue> cells = new ArrayList<>();
    loaded.forEach((row, mail) -> cells.add(cell(row, mail)));
    Path directory =
        new Path(cluster.utility().getDataTestDirOnTestFS(), "load" + random.nextLong());
    LoadableFiles.write(cluster, directory, cells);
    BulkLoadHFiles.create(cluster.configuration()).bulkLoad(table.name(), directory);
    live.putAll(loaded);
  }

  private static KeyValue cell(String row, String mail) {
    return new KeyValue(
        Bytes.toBytes(row),
        Bytes.toBytes("f"),
        Bytes.toBytes("email"),
        System.currentTimeMillis(),
        Bytes.toBytes(mail));
  }

  private static byte[] splitKey(RegionInfo region) {
    String start = Bytes.toString(region.getStartKey());
    return Bytes.toBytes(start.isEmpty() ? "row00075" : start.substring(0, 5) + "225");
  }

  private static void write(RoutingTable table, Map<String, String> live, Random random)
      throws IOException {
    List<String> rows = new ArrayList<>(live.keySet());
    for (int change = 0; change < 12 && !rows.isEmpty(); change++) {
      String row = rows.remove(random.nextInt(rows.size()));
      table.delete(row);
      live.remove(row);
    }
    Map<String, String> written = new TreeMap<>();
    for (int change = 0; change < 40; change++) {
      written.put("row%05d".formatted(random.nextInt(300)), "mail" + random.nextInt(60));
    }
    table.putAll(written);
    live.putAll(written);
  }
}
