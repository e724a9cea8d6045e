/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.life;

import static io.hbaseindex.it.index.IndexedTable.CITY;
import static io.hbaseindex.it.index.IndexedTable.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.index.IndexProbe;
import io.hbaseindex.it.index.IndexedTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** What the tests of this package do to an {@link IndexedTable}. */
final class People {

  static final int ROWS = 300;
  static final int CITIES = 30;

  private People() {}

  /** A table of {@link #ROWS} people in {@link #CITIES} cities, with its indexes ready. */
  static IndexedTable create(TestCluster cluster, String... splits) throws IOException {
    IndexedTable people = IndexedTable.create(cluster, splits);
    fill(people.table(), ROWS);
    people.probe().awaitReady();
    return people;
  }

  static void fill(Table table, int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(IndexedTable.person(row(i), i + "@example.org", city(i)));
    }
    table.put(puts);
  }

  static String row(int number) {
    return "r%05d".formatted(number);
  }

  static String city(int number) {
    return "c%02d".formatted(number % CITIES);
  }

  /** Queries use the index and answer as without it, and the checker finds nothing missing. */
  static void assertRight(IndexedTable people) throws IOException {
    for (int i = 0; i < CITIES; i += 7) {
      Scan scan = where(CITY, city(i));
      assertThat(people.rowsByIndex(scan))
          .isEqualTo(people.rows(IndexProbe.withoutIndex(scan)))
          .isNotEmpty();
    }
    assertThat(people.probe().check().missing()).isEmpty();
  }

  /** As {@link #assertRight}, and no posting is left that should have ended. */
  static void assertExact(IndexedTable people) throws IOException {
    assertRight(people);
    assertThat(people.probe().check().toString()).startsWith("0 missing, 0 dangling");
  }

  /** Queries answer the same with and without the index, whether it is used or not. */
  static void assertSameAnswers(IndexedTable people) throws IOException {
    for (int i = 0; i < CITIES; i += 7) {
      Scan scan = where(CITY, city(i));
      assertThat(people.rows(scan)).isEqualTo(people.rows(IndexProbe.withoutIndex(scan)));
    }
  }

  static List<RegionInfo> regions(TestCluster cluster, IndexedTable people) throws IOException {
    return cluster.regions().of(people.name());
  }

  static RegionInfo onlyRegion(TestCluster cluster, IndexedTable people) throws IOException {
    List<RegionInfo> regions = regions(cluster, people);
    assertThat(regions).hasSize(1);
    return regions.get(0);
  }

  static ServerName otherServer(TestCluster cluster, RegionInfo region) {
    ServerName current = cluster.regions().serverOf(region);
    return cluster.servers().live().stream()
        .filter(server -> !server.equals(current))
        .findFirst()
        .orElseThrow();
  }

  /** Changes the descriptor and waits until all regions have been opened anew with it. */
  static void modify(TestCluster cluster, TableDescriptor table) throws IOException {
    cluster.admin().modifyTable(table);
    cluster.utility().waitUntilAllRegionsAssigned(table.getTableName());
  }
}
