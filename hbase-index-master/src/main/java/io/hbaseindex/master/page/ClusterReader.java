/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegionView;
import io.hbaseindex.core.registry.RegistryCensus;
import io.hbaseindex.core.registry.RegistryView;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.master.page.model.Building;
import io.hbaseindex.master.page.model.HolderSight;
import io.hbaseindex.master.page.model.IndexSight;
import io.hbaseindex.master.page.model.RegionSight;
import io.hbaseindex.master.page.model.TableSight;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.assignment.RegionStates;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads how indexed tables stand, from what the master has in memory: HBase's regions, and the
 * filters that were announced for them. What is read is bounded by the caller.
 */
@InterfaceAudience.Private
public final class ClusterReader {
  /** How many regions of the registry are looked at in one go. */
  private static final int PAGE = 1_000;

  private final MasterServices master;
  private final FilterRegistry registry;
  private final Function<String, Map<Integer, Building>> builds;

  /**
   * @param builds how far builds of a region are, by its encoded name and the id of the index
   */
  ClusterReader(
      MasterServices master,
      FilterRegistry registry,
      Function<String, Map<Integer, Building>> builds) {
    this.master = master;
    this.registry = registry;
    this.builds = builds;
  }

  /** Regions in which an index of their table is not complete, up to a bound. */
  static List<BuildWatch.Region> unfinished(
      MasterServices master, FilterRegistry registry, int most) throws IOException {
    List<BuildWatch.Region> unfinished = new ArrayList<>();
    for (TableDescriptor table : indexed(master).values()) {
      Collection<IndexDefinition> indexes = definitions(table);
      byte[] from = RowRange.ALL.start();
      List<RegionView> page = List.of();
      do {
        page = registry.regions(table.getTableName().getNameAsString(), from, PAGE);
        for (RegionView view : page) {
          byte[] start = view.region().range().start();
          from = Arrays.copyOf(start, start.length + 1);
          if (!indexes.stream().allMatch(index -> covers(view, index))) {
            unfinished.add(
                new BuildWatch.Region(table.getTableName(), view.region().encodedName(), start));
          }
          if (unfinished.size() == most) {
            return unfinished;
          }
        }
      } while (page.size() == PAGE);
    }
    return unfinished;
  }

  private static Collection<IndexDefinition> definitions(TableDescriptor table) {
    try {
      return IndexedTableDescriptor.indexesOf(table).definitions();
    } catch (DefinitionException e) {
      return List.of(); // the page says so
    }
  }

  /** Who holds the filters: this master. */
  List<HolderSight> holders() {
    RegistryView view = registry.view();
    RegistryCensus census = RegistryCensus.of(registry);
    return List.of(
        new HolderSight(
            "master",
            master.getServerName().toString(),
            view.activeSinceMillis(),
            view.trusting(),
            TimeUnit.NANOSECONDS.toMillis(view.leaseNanos()),
            new HolderSight.Filters(
                census.regions(),
                census.precise(),
                census.values(),
                view.filterBytes(),
                view.filterByteLimit())));
  }

  /** The tables that have, or had, an index, by name. */
  NavigableMap<String, TableDescriptor> tables() throws IOException {
    return indexed(master);
  }

  private static NavigableMap<String, TableDescriptor> indexed(MasterServices master)
      throws IOException {
    NavigableMap<String, TableDescriptor> tables = new TreeMap<>();
    for (TableDescriptor table : master.getTableDescriptors().getAll().values()) {
      if (table.hasColumnFamily(IndexFamily.bytes())) {
        tables.put(table.getTableName().getNameAsString(), table);
      }
    }
    return tables;
  }

  /**
   * How one table stands.
   *
   * @param most how many of its regions are looked at
   */
  TableSight table(TableDescriptor table, int most) {
    String name = table.getTableName().getNameAsString();
    List<RegionInfo> regions = regions(table);
    List<RegionInfo> looked = regions.subList(0, Math.min(most, regions.size()));
    Map<String, RegionView> announced = announced(name, most);
    List<RegionSight> sights =
        looked.stream()
            .map(region -> sight(region, announced.get(region.getEncodedName())))
            .toList();
    try {
      TableIndexes indexes = IndexedTableDescriptor.indexesOf(table);
      return new TableSight(name, indexes(indexes, announced, looked), sights, regions.size(), "");
    } catch (DefinitionException e) {
      return new TableSight(name, List.of(), sights, regions.size(), e.getMessage());
    }
  }

  private List<RegionInfo> regions(TableDescriptor table) {
    return states().getRegionsOfTable(table.getTableName()).stream()
        .filter(RegionReplicaUtil::isDefaultReplica)
        .sorted(RegionInfo.COMPARATOR)
        .toList();
  }

  private RegionStates states() {
    return master.getAssignmentManager().getRegionStates();
  }

  private Map<String, RegionView> announced(String table, int most) {
    Map<String, RegionView> announced = new HashMap<>();
    for (RegionView view : registry.regions(table, RowRange.ALL.start(), most)) {
      announced.put(view.region().encodedName(), view);
    }
    return announced;
  }

  private RegionSight sight(RegionInfo region, RegionView view) {
    RowRange range = new RowRange(region.getStartKey(), region.getEndKey());
    if (view == null) {
      ServerName server = states().getRegionServerOfRegion(region);
      return new RegionSight(
          region.getEncodedName(),
          range,
          server == null ? "" : server.toString(),
          OpenReason.ABSENT,
          0,
          0,
          Building.NOTHING);
    }
    return new RegionSight(
        region.getEncodedName(),
        range,
        view.server(),
        view.open(),
        view.size().bytes(),
        view.size().error(),
        builds.apply(region.getEncodedName()).values().stream()
            .min(Comparator.comparingDouble(Building::share))
            .orElse(Building.NOTHING));
  }

  private List<IndexSight> indexes(
      TableIndexes indexes, Map<String, RegionView> announced, List<RegionInfo> looked) {
    List<IndexSight> sights = new ArrayList<>();
    for (IndexDefinition index : indexes.definitions()) {
      String times = index.hasTimes() ? " with times" : "";
      String condition = index.isPartial() ? " where " + index.condition() : "";
      String included =
          index.included().stream().map(ColumnRef::toString).collect(Collectors.joining(", "));
      String routes =
          index.routes().stream()
              .filter(route -> !route.isWhole())
              .map(route -> route.text(index))
              .collect(Collectors.joining(", "));
      int covered = (int) announced.values().stream().filter(view -> covers(view, index)).count();
      sights.add(
          new IndexSight(
              index.name(),
              String.join(" + ", index.typedColumns()) + times + condition,
              included,
              routes,
              index.mode().keyword(),
              covered,
              building(index, looked)));
    }
    return sights;
  }

  private Building building(IndexDefinition index, List<RegionInfo> regions) {
    Building building = Building.NOTHING;
    for (RegionInfo region : regions) {
      building =
          building.and(
              builds.apply(region.getEncodedName()).getOrDefault(index.id(), Building.NOTHING));
    }
    return building;
  }

  private static boolean covers(RegionView view, IndexDefinition index) {
    return view.coverage().stream()
        .anyMatch(
            covered -> covered.indexId() == index.id() && covered.version() == index.version());
  }
}
