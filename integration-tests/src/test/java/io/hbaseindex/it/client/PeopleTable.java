/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import io.hbaseindex.client.routing.Routing;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Ten people for each letter, in six regions, with an e-mail address that nobody shares and a city
 * that one of each letter lives in; both are indexed.
 */
final class PeopleTable extends TestTable {
  static final int REGIONS = 6;

  private PeopleTable(TestCluster cluster, TableDescriptor descriptor) throws IOException {
    super(cluster, descriptor, "d", "h", "m", "r", "w");
  }

  static PeopleTable create(TestCluster cluster) throws IOException {
    return create(cluster, builder -> builder);
  }

  /** Creates a table that differs from others in its descriptor. */
  static PeopleTable create(TestCluster cluster, UnaryOperator<TableDescriptorBuilder> change)
      throws IOException {
    TableDescriptorBuilder published =
        TableDescriptorBuilder.newBuilder(IndexedTable.describe(TestTables.uniqueName("people")))
            .setValue(IndexSettings.PUBLISH_ENABLED, "true");
    PeopleTable people = new PeopleTable(cluster, change.apply(published).build());
    people.fill();
    return people;
  }

  /** Has the regions of a table watched. */
  static TableDescriptorBuilder watched(TableDescriptorBuilder builder) {
    try {
      return builder.setCoprocessor(WatchedRegions.class.getName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void fill() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (char letter = 'a'; letter <= 'z'; letter++) {
      for (int i = 0; i < 10; i++) {
        puts.add(person("" + letter + i, "" + letter + i + "@example.org", "city" + i));
      }
    }
    table().put(puts);
  }

  static Put person(String row, String email, String city) {
    return IndexedTable.person(row, email, city);
  }

  /** The rows that a scan over a connection returns, in the order in which they come. */
  List<String> rows(Connection connection, Scan scan) throws IOException {
    try (Table table = connection.getTable(name())) {
      return rowsIn(table, scan);
    }
  }

  /** Waits until the filter of every region is trusted, and the router knows the table. */
  void awaitPrecise(Routing router) throws Exception {
    cluster().tables().awaitPrecise(name());
    int regions = regions().size();
    Waits.until("an absent value excludes all regions of " + name())
        .until(
            () -> router.plan(name(), where("email", "nobody")).get(),
            plan -> plan.skippedRegions() == regions);
  }
}
