/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.TableIndexes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
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
  private final RegionIndexAdmin regions;

  private IndexAdmin(Connection connection) {
    this.connection = connection;
    this.regions = new RegionIndexAdmin(connection);
  }

  /** An admin that works over this connection. */
  public static IndexAdmin of(Connection connection) {
    return new IndexAdmin(connection);
  }

  /**
   * Adds an index to a table, which may hold data and be in use. The regions build it in the
   * background; {@link #awaitReady} waits for them.
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
      } else if (!present.get().hasSameContent(index)) {
        throw new DefinitionException(
            "Cannot create index %s on table %s: it has another one of that name, %s; drop that first or choose another name"
                .formatted(index.name(), current.getTableName(), present.get()));
      }
    }
    if (options.publish().isEmpty()) {
      return wanted;
    }
    return TableDescriptorBuilder.newBuilder(wanted)
        .setValue(IndexSettings.PUBLISH_ENABLED, options.publish().get().toString())
        .build();
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

  /** The indexes that a table declares, by name; empty if it has none. */
  public List<IndexDefinition> list(TableName table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return definitions(admin.getDescriptor(table));
    }
  }

  /** The tables that declare indexes, by name, with what they declare. */
  public Map<TableName, List<IndexDefinition>> listAll() throws IOException {
    Map<TableName, List<IndexDefinition>> indexed = new TreeMap<>();
    try (Admin admin = connection.getAdmin()) {
      for (TableDescriptor table : admin.listTableDescriptors()) {
        if (table.hasColumnFamily(IndexFamily.bytes()) && !definitions(table).isEmpty()) {
          indexed.put(table.getTableName(), definitions(table));
        }
      }
    }
    return indexed;
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
    return new TableStates(table, indexes, indexes.isEmpty() ? List.of() : regions.states(table));
  }

  /**
   * Waits until every region has all indexes of the table ready, or says that it never will.
   * Regions that do not answer are asked again.
   *
   * @return the last states; {@link TableStates#isReady} tells whether all indexes can be used
   * @throws IndexNotReadyException if that takes longer; the message says what is missing
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
      if (states.isSettled()) {
        return states;
      }
      if (Duration.ofNanos(System.nanoTime() - start).compareTo(timeout) > 0) {
        throw new IndexNotReadyException(
            "Cannot use all indexes of table %s yet: after %d s %s"
                .formatted(table, timeout.toSeconds(), states.reasons()));
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
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
    if (!list(table).isEmpty()) {
      regions.rebuild(table, progress);
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
    return new ScanExplainer(connection).explain(table, scan, System::nanoTime);
  }

  private CheckReport check(TableName table, boolean repair, Progress progress) throws IOException {
    return list(table).isEmpty() ? CheckReport.NOTHING : regions.check(table, repair, progress);
  }
}
