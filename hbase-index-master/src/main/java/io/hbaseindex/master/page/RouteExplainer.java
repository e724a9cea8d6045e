/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.common.query.RoutePlanner;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.master.page.model.Explained;
import io.hbaseindex.master.page.model.Explained.Asked;
import io.hbaseindex.master.page.model.RegionSight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells which regions a query would ask, by the code that clients plan a scan with and by the
 * filters that answer them. No query runs, and it is not counted as a route.
 */
@InterfaceAudience.Private
public final class RouteExplainer {
  private final FilterRegistry registry;
  private final boolean cellsMayHide;

  /**
   * @param cellsMayHide whether the cluster may hide newest cells from users
   */
  public RouteExplainer(FilterRegistry registry, boolean cellsMayHide) {
    this.registry = registry;
    this.cellsMayHide = cellsMayHide;
  }

  /**
   * Explains a condition on a table.
   *
   * @param regions the table's regions, in key order
   */
  Explained explain(TableDescriptor table, List<RegionSight> regions, String where) {
    Scan scan = new Scan();
    try {
      scan.setFilter(TypedCondition.parse(where));
    } catch (IllegalArgumentException e) {
      return Explained.refused("Cannot read the condition: " + e.getMessage());
    }
    ScanReader reader = cellsMayHide ? ScanReader.whereCellsMayHide(table) : ScanReader.of(table);
    ScanVerdict verdict = reader.read(scan);
    if (verdict instanceof ScanVerdict.Plain plain) {
      return everywhere("no index can serve it (" + plain.reason().metricName() + ")");
    }
    try {
      TableIndexes indexes = IndexedTableDescriptor.indexesOf(table);
      RoutePlanner planner = RoutePlanner.of(table, indexes);
      Optional<RoutePredicate> predicate =
          indexes.isComplete()
              ? planner.plan(((ScanVerdict.Eligible) verdict).predicate())
              : Optional.empty();
      return predicate
          .map(known -> explain(table, regions, known, planner.setsOf(known)))
          .orElseGet(() -> everywhere("no index fixes a value of it"));
    } catch (DefinitionException e) {
      return everywhere(e.getMessage());
    }
  }

  private static Explained everywhere(String reason) {
    return Explained.refused("All regions would be asked: " + reason + ".");
  }

  private Explained explain(
      TableDescriptor table,
      List<RegionSight> regions,
      RoutePredicate predicate,
      List<String> askedBy) {
    RouteAnswer route = registry.route(table.getTableName().getNameAsString(), predicate);
    NavigableMap<byte[], RouteAnswer.Candidate> candidates = new TreeMap<>(Arrays::compareUnsigned);
    route.candidates().forEach(one -> candidates.put(one.range().start(), one));
    List<Explained.Region> explained = new ArrayList<>(regions.size());
    int[] counts = new int[Asked.values().length];
    for (RegionSight region : regions) {
      Explained.Region one = verdict(region, candidates);
      counts[one.asked().ordinal()]++;
      explained.add(one);
    }
    return new Explained(
        explained,
        counts[Asked.SKIPPED.ordinal()],
        counts[Asked.MATCHED.ordinal()],
        counts[Asked.UNFILTERED.ordinal()],
        askedBy,
        "");
  }

  /** A region is asked if any of its keys lies in a candidate. */
  private static Explained.Region verdict(
      RegionSight region, NavigableMap<byte[], RouteAnswer.Candidate> candidates) {
    Map.Entry<byte[], RouteAnswer.Candidate> before = candidates.floorEntry(region.range().start());
    if (before == null || !before.getValue().range().overlaps(region.range())) {
      before = candidates.higherEntry(region.range().start());
    }
    if (before == null || !before.getValue().range().overlaps(region.range())) {
      return new Explained.Region(region, Asked.SKIPPED, null);
    }
    RouteAnswer.Candidate candidate = before.getValue();
    return new Explained.Region(
        region, candidate.open() == null ? Asked.MATCHED : Asked.UNFILTERED, candidate.open());
  }
}
