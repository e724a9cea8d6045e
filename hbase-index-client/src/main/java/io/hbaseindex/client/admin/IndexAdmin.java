/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.client.admin.call.RegionCalls;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.check.TableCheck;
import io.hbaseindex.client.admin.doctor.ClusterDoctor;
import io.hbaseindex.client.admin.doctor.Diagnosis;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.explain.ScanExplainer;
import io.hbaseindex.client.admin.filters.MasterReader;
import io.hbaseindex.client.admin.filters.RoutingStatus;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.admin.status.RegionReader;
import io.hbaseindex.client.admin.status.TableStates;
import io.hbaseindex.common.master.EndpointAccess;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.route.HoldingServers;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.protocol.IndexRegionProtos.RebuildRequest;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Creates, drops, watches and mends indexes.
 *
 * <pre>{@code
 * IndexAdmin admin = IndexAdmin.of(connection);
 * admin.create(people, IndexDefinition.on("f", "email").named("by_email").eager());
 * admin.awaitReady(people, Duration.ofMinutes(10), Progress.NONE);
 * }</pre>
 *
 * <p>Every call may be interrupted and repeated: what was done stays done, what was not is done by
 * the next call, and a call that finds everything as it should be changes nothing. Interrupted
 * calls throw {@link InterruptedException} or {@link java.io.InterruptedIOException}. An unknown
 * table gives HBase's own {@link org.apache.hadoop.hbase.TableNotFoundException}.
 *
 * <p>Safe for use by many threads. It does not close the connection it was given.
 */
@InterfaceAudience.Public
public final class IndexAdmin {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final Connection connection;
  private final RegionCalls regions;

  private IndexAdmin(Connection connection) {
    this.connection = connection;
    this.regions = new RegionCalls(connection);
  }

  /**
   * An admin that works over this connection.
   *
   * @throws UnsupportedOperationException if HBase's client is the one in hbase-shaded-client
   */
  public static IndexAdmin of(Connection connection) {
    if (!EndpointAccess.isPossible()) {
      throw new UnsupportedOperationException(
          "Cannot administrate indexes: " + EndpointAccess.OBSTACLE);
    }
    return new IndexAdmin(connection);
  }

  /**
   * Adds an index to a table, which may hold data and be in use. The regions build it in the
   * background; {@link #awaitReady} waits for them.
   *
   * <p>An index that the table has already gets the {@linkplain IndexDefinition.Builder#routes
   * routes} that it lacks, and keeps those that it has. If the definition {@linkplain
   * IndexDefinition.Builder#including includes} columns, and others than before, the index is built
   * anew with these; a definition that includes none leaves them as they are. So it is with the
   * {@linkplain IndexDefinition.Builder#as types} of its columns and with its {@linkplain
   * IndexDefinition.Builder#where condition}.
   *
   * @return whether the table was changed: false if it has the very same index already
   * @throws DefinitionException if the table has another index of that name, or cannot have this
   *     one
   */
  public boolean create(TableName table, IndexDefinition index) throws IOException {
    return create(table, List.of(index), CreateOptions.defaults());
  }

  /**
   * Adds several indexes in one alteration of the table.
   *
   * @return whether the table was changed
   * @throws DefinitionException if the table has others of these names, or cannot have these
   */
  public boolean create(TableName table, List<IndexDefinition> indexes, CreateOptions options)
      throws IOException {
    options.progress().reached(new Progress.Step(Progress.Work.ALTER, 0, 1, 0));
    boolean changed = change(table, current -> withAll(current, indexes, options));
    options.progress().reached(new Progress.Step(Progress.Work.ALTER, 1, 1, 0));
    return changed;
  }

  private static TableDescriptor withAll(
      TableDescriptor current, List<IndexDefinition> indexes, CreateOptions options) {
    TableDescriptor wanted = current;
    for (IndexDefinition index : indexes) {
      Optional<IndexDefinition> present =
          IndexedTableDescriptor.indexesOf(wanted).byName(index.name());
      if (present.isEmpty()) {
        wanted = IndexedTableDescriptor.with(wanted, index);
      } else if (!present.get().isSameIndex(index)) {
        throw new DefinitionException(
            "Cannot create index %s on table %s: it has another one of that name, %s; drop that first or choose another name"
                .formatted(index.name(), current.getTableName(), present.get()));
      } else {
        wanted = redeclared(wanted, index);
      }
    }
    if (options.publish().isEmpty()) {
      return wanted;
    }
    return TableDescriptorBuilder.newBuilder(wanted)
        .setValue(IndexSettings.PUBLISH_ENABLED, options.publish().get().toString())
        .build();
  }

  private static TableDescriptor redeclared(TableDescriptor table, IndexDefinition wanted) {
    TableIndexes present = IndexedTableDescriptor.indexesOf(table);
    TableIndexes changed = present.redeclared(wanted);
    return changed.equals(present)
        ? table
        : IndexedTableDescriptor.withIndexes(
            table, changed.withAssignedIds(new SecureRandom()::nextLong));
  }

  /**
   * Drops an index; its postings go with the next major compaction.
   *
   * @return whether the table was changed: false if it has no such index
   */
  public boolean drop(TableName table, String index) throws IOException {
    return change(
        table,
        current ->
            IndexedTableDescriptor.indexesOf(current).byName(index).isPresent()
                ? IndexedTableDescriptor.without(current, index)
                : current);
  }

  private boolean change(TableName table, UnaryOperator<TableDescriptor> change)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return new DescriptorChange(admin).make(table, change);
    }
  }

  /**
   * The indexes that a table declares, by name; empty if it has none. Who may only read the table
   * is told by one of its regions, since HBase shows descriptors to administrators alone.
   */
  public List<IndexDefinition> list(TableName table) throws IOException {
    return definitions(regions.readableDescriptorOf(table));
  }

  /**
   * The indexes of all tables that the user may see. A table whose declaration cannot be read is
   * told as such and hides no other.
   *
   * @throws AccessDeniedException if the user may see no table at all
   */
  public IndexCatalog listAll() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return new CatalogReader(admin, regions).read();
    }
  }

  private static List<IndexDefinition> definitions(TableDescriptor table) {
    TableIndexes indexes = IndexedTableDescriptor.indexesOf(table);
    return new ArrayList<>(indexes.definitions());
  }

  /**
   * How the indexes of a table are doing, region by region, with the reason where one is not ready.
   * A region that does not answer is told as such.
   */
  public TableStates states(TableName table) throws IOException {
    return states(table, list(table));
  }

  private TableStates states(TableName table, List<IndexDefinition> indexes) throws IOException {
    return new TableStates(
        table, indexes, indexes.isEmpty() ? List.of() : new RegionReader(regions).states(table));
  }

  /**
   * Waits until every region has all indexes of the table ready. Regions that do not answer are
   * asked again.
   *
   * @return the last states: all indexes can be used
   * @throws IndexNotReadyException if that takes longer, or if a region says that it never will
   *     have some index; the message says which and why
   * @throws TableNotEnabledException if the table has indexes and is disabled, or becomes so: its
   *     regions build when they are open
   */
  public TableStates awaitReady(TableName table, Duration timeout, Progress progress)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      List<IndexDefinition> indexes = list(table);
      if (!indexes.isEmpty()) {
        requireNotDisabled(table);
      }
      TableStates states = states(table, indexes);
      progress.reached(states.progress(Progress.Work.BUILD));
      if (states.isReady()) {
        return states;
      }
      requireHope(states);
      if (Duration.ofNanos(System.nanoTime() - start).compareTo(timeout) > 0) {
        throw new IndexNotReadyException(
            "Cannot use all indexes of table %s yet: after %d s %s"
                .formatted(table, timeout.toSeconds(), states.reasons()));
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  /** One region that never will have an index is enough: waiting for the others does not help. */
  private static void requireHope(TableStates states) throws IndexNotReadyException {
    if (!states.hopeless().isEmpty()) {
      throw new IndexNotReadyException(
          "Cannot ever use all indexes of table %s: %s; mend that or drop the index, and wait again"
              .formatted(states.table(), states.hopeless()));
    }
  }

  private void requireNotDisabled(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.isTableDisabled(table)) {
        throw new TableNotEnabledException(
            "Cannot wait for the indexes of table %s: it is disabled, and its regions build only when they are open; enable it and wait again"
                .formatted(table));
      }
    }
  }

  /** Has every region distrust its indexes and build them anew; scans run plainly meanwhile. */
  public void rebuild(TableName table, Progress progress) throws IOException {
    if (list(table).isEmpty()) {
      return;
    }
    List<HRegionLocation> all = regions.regionsOf(table);
    int done = 0;
    for (HRegionLocation region : all) {
      regions.call(
          table,
          region.getRegion().getStartKey(),
          service -> service.rebuild(null, RebuildRequest.getDefaultInstance()));
      done++;
      progress.reached(new Progress.Step(Progress.Work.REBUILD, done, all.size(), 0));
    }
  }

  /**
   * Compares all rows with all postings, in both directions, while the table is in use. Indexes
   * that are being built lack postings: wait for them first.
   */
  public CheckReport verify(TableName table, Progress progress) throws IOException {
    return check(table, false, progress);
  }

  /** Compares all rows with all postings and mends what differs. */
  public CheckReport repair(TableName table, Progress progress) throws IOException {
    return check(table, true, progress);
  }

  /**
   * Runs a scan to its end and tells what it did: which regions it was sent to and why, what each
   * of them did with which index, and what that cost. Runs over this admin's connection, so give
   * {@link #of} the connection whose scans are to be explained.
   */
  public Explanation explain(TableName table, Scan scan) throws IOException {
    return new ScanExplainer(connection, regions).explain(table, scan, System::nanoTime);
  }

  /**
   * What each server of the cluster has of the product, and what is wrong with that: a missing jar,
   * another version, a coprocessor that the master does not load.
   */
  public Diagnosis diagnose() throws IOException {
    return new ClusterDoctor(connection).examine();
  }

  /**
   * How the filters at the active master stand, for all tables; for administrators of the cluster.
   * Fails where the master does not answer or does not load the index endpoint.
   */
  public RoutingStatus routing() throws IOException {
    return new MasterReader(connection).status();
  }

  /** How the filters of one table stand at the active master; for administrators of the table. */
  public RoutingStatus routing(TableName table) throws IOException {
    return new MasterReader(connection).status(table);
  }

  /** Where the cluster keeps filters: at the active master, or at several holders. */
  public HolderLayout holders() throws IOException {
    return new MasterReader(connection).layout();
  }

  /**
   * Has the cluster keep filters elsewhere, while it runs; for administrators of the cluster. All
   * filters are sent anew, so queries visit more regions for some seconds, and miss nothing.
   *
   * @param holders how many regions of the table {@code hbaseindex:filters} keep them; 0 for the
   *     active master. The table is made with as many regions if there is none, and its regions are
   *     split if they are fewer
   * @param shards how many of the holders share the values of a table
   * @param ofTables the same for single tables, by name
   * @return the layout that is in force now
   */
  public HolderLayout keepFilters(int holders, int shards, Map<TableName, Integer> ofTables)
      throws IOException {
    Map<String, Integer> byName = new TreeMap<>();
    ofTables.forEach((table, count) -> byName.put(table.getNameAsString(), count));
    MasterReader master = new MasterReader(connection);
    return master.change(master.layout().next(holders, shards, byName));
  }

  /**
   * Which region servers may hold rows that the scan's filter lets pass; for users who may read the
   * table. Empty if filters cannot tell, because the scan does not fix the columns of any index.
   */
  public Optional<HoldingServers> serversThatMayHold(TableName table, Scan scan)
      throws IOException {
    return new MasterReader(connection).serversThatMayHold(table, scan);
  }

  private CheckReport check(TableName table, boolean repair, Progress progress) throws IOException {
    return list(table).isEmpty()
        ? CheckReport.NOTHING
        : new TableCheck(regions, table, repair, progress).run();
  }
}
