/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.UnroutedReason;
import io.hbaseindex.common.query.OrderedRows;
import io.hbaseindex.common.query.RoutePlanner;
import io.hbaseindex.common.query.ScanReader;
import io.hbaseindex.common.query.ScanVerdict;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** One table descriptor, read for what it says about routing. Immutable. */
final class KnownTable {
  /** Coprocessors that show users an older cell when they may not see the newest. */
  private static final Set<String> HIDING_CELLS =
      Set.of(
          "org.apache.hadoop.hbase.security.access.AccessController",
          "org.apache.hadoop.hbase.security.visibility.VisibilityController");

  private final TableDescriptor descriptor;
  private final long shape;
  private final long readAtNanos;
  private final boolean hidesCells;
  private final ScanReader reader;
  private final ScanReader cautiousReader;
  private final Optional<TableIndexes> indexes;

  /** Made once: what it reads out of the descriptor takes longer than a plan. */
  private final Optional<RoutePlanner> planner;

  KnownTable(TableDescriptor descriptor, long readAtNanos) {
    this.descriptor = descriptor;
    this.shape = TableShape.of(descriptor);
    this.readAtNanos = readAtNanos;
    this.hidesCells =
        descriptor.getCoprocessorDescriptors().stream()
            .map(CoprocessorDescriptor::getClassName)
            .anyMatch(HIDING_CELLS::contains);
    this.reader = ScanReader.of(descriptor);
    this.cautiousReader = ScanReader.whereCellsMayHide(descriptor);
    this.indexes = readIndexes(descriptor);
    this.planner = indexes.map(declared -> RoutePlanner.of(descriptor, declared));
  }

  private static Optional<TableIndexes> readIndexes(TableDescriptor descriptor) {
    try {
      TableIndexes indexes = IndexedTableDescriptor.indexesOf(descriptor);
      return indexes.isComplete() ? Optional.of(indexes) : Optional.empty();
    } catch (DefinitionException e) {
      return Optional.empty();
    }
  }

  /** What filters could be asked for a scan, or why they cannot. */
  sealed interface Question {
    /**
     * @param sets the sets of columns that the predicate asks by
     * @param edges how far values reach, for the first rows in an order
     */
    record Ask(RoutePredicate predicate, List<String> sets, Optional<RegionEdge.Question> edges)
        implements Question {}

    record Nothing(RoutePlan plan) implements Question {}
  }

  /**
   * What filters could be asked for a scan.
   *
   * @param cellsMayHide whether the cluster may hide newest cells from users
   */
  Question question(Scan scan, boolean cellsMayHide) {
    if (indexes.isPresent() && indexes.get().isEmpty()) {
      // Before all else: of a table without indexes not even the families may be known.
      return nothing(UnroutedReason.NO_VALUE_FIXED);
    }
    ScanReader judge = cellsMayHide || hidesCells ? cautiousReader : reader;
    ScanVerdict verdict = judge.read(scan);
    if (verdict instanceof ScanVerdict.Plain plain) {
      return new Question.Nothing(
          RoutePlans.notEligible(descriptor.getTableName(), plain.reason()));
    }
    if (planner.isEmpty()) {
      return nothing(UnroutedReason.DEFINITIONS_UNREADABLE);
    }
    if (!scan.getFamilyMap().keySet().stream().allMatch(descriptor::hasColumnFamily)) {
      return nothing(UnroutedReason.UNKNOWN_FAMILY);
    }
    if (isRefusedByServers(scan)) {
      return nothing(UnroutedReason.REFUSED_BY_SERVERS);
    }
    RowPredicate wanted = ((ScanVerdict.Eligible) verdict).predicate();
    Optional<RoutePredicate> predicate = planner.get().plan(wanted);
    if (predicate.isPresent()) {
      return new Question.Ask(
          predicate.get(),
          planner.get().setsOf(predicate.get()),
          OrderedRows.in(scan).flatMap(ordered -> planner.get().edges(wanted, ordered.order())));
    }
    return nothing(
        planner.get().isServed(wanted)
            ? UnroutedReason.RANGE_ASKED
            : UnroutedReason.NO_VALUE_FIXED);
  }

  /** Whether a server answers with an error, which no scan may be spared. */
  private static boolean isRefusedByServers(Scan scan) {
    boolean cutsRowsThatTheFilterNeedsWhole =
        scan.getBatch() > 0 && scan.hasFilter() && scan.getFilter().hasFilterRow();
    return cutsRowsThatTheFilterNeedsWhole
        || scan.getFamilyMap().keySet().stream().anyMatch(IndexFamily::is);
  }

  private Question nothing(UnroutedReason reason) {
    return new Question.Nothing(RoutePlans.everywhere(descriptor.getTableName(), reason));
  }

  /** The descriptor's {@link TableShape}. */
  long shape() {
    return shape;
  }

  /** When the descriptor was asked for. */
  long readAtNanos() {
    return readAtNanos;
  }
}
