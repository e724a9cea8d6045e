/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import io.hbaseindex.client.admin.CreateOptions;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The table of people: made and filled as any HBase table, and indexed afterwards. */
final class PeopleTable {
  static final TableName NAME = TableName.valueOf("people");
  static final int REGIONS = 12;

  static final IndexDefinition BY_EMAIL =
      IndexDefinition.on("p", "email").named("by_email").eager();

  /** People of a city in the order of joining, a number, with their names and points. */
  static final IndexDefinition BY_CITY =
      IndexDefinition.on("p", "city")
          .and("p", "joined")
          .as(ValueType.LONG)
          .including("p:name", "p:points")
          .named("by_city")
          .eager();

  static final IndexDefinition BY_CITY_AND_STATUS =
      IndexDefinition.on("p", "city").and("p", "status").named("by_city_and_status").eager();

  /** Of the blocked only, in the order of joining. */
  static final IndexDefinition BLOCKED =
      IndexDefinition.on("p", "joined")
          .as(ValueType.LONG)
          .including("p:name", "p:status")
          .where("p:status=blocked")
          .named("blocked")
          .eager();

  private static final int ROWS_BETWEEN_REPORTS = 1_000;

  /** Far above any good run; a demo must not hang. */
  private static final Duration BUILD_LIMIT = Duration.ofMinutes(10);

  private final Connection connection;

  PeopleTable(Connection connection) {
    this.connection = connection;
  }

  /** Creates the table without any index and fills it. */
  void load(Population people, ProgressBar progress) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Person.FAMILY))
              .build(),
          people.splitKeys(REGIONS));
    }
    try (BufferedMutator rows = connection.getBufferedMutator(NAME)) {
      for (int number = 0; number < people.size(); number++) {
        rows.mutate(people.person(number).toPut());
        if (number % ROWS_BETWEEN_REPORTS == 0) {
          progress.at(number / (double) people.size(), "%,d rows".formatted(number));
        }
      }
    }
    progress.done("%,d rows in %d regions".formatted(people.size(), REGIONS));
  }

  /** Declares the indexes and waits until every region has built them from its rows. */
  void index(Population people, ProgressBar progress) throws Exception {
    IndexAdmin indexes = IndexAdmin.of(connection);
    List<IndexDefinition> wanted = List.of(BY_EMAIL, BY_CITY, BY_CITY_AND_STATUS, BLOCKED);
    indexes.create(NAME, wanted, CreateOptions.defaults());
    indexes.awaitReady(
        NAME,
        BUILD_LIMIT,
        step ->
            progress.at(
                step.entries() / (double) people.size(),
                "%d of %d regions".formatted(step.regionsDone(), step.regions())));
    progress.done("by_email, by_city, by_city_and_status, blocked are ready");
  }

  void delete(Person person) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      table.delete(new Delete(Person.key(person.number())));
    }
  }
}
