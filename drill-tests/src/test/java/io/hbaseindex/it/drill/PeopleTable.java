/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTable;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** People in twelve regions, with an index of their addresses and of their cities. */
final class PeopleTable extends TestTable {
  static final int REGIONS = 12;
  private static final int ROWS = 1_200;

  private PeopleTable(TestCluster cluster) throws IOException {
    super(
        cluster,
        IndexedTableDescriptor.with(
            TableDescriptorBuilder.newBuilder(TestTables.uniqueName("persons"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            IndexDefinition.on("f", "email").as(ValueType.STRING).named("by_email").eager(),
            IndexDefinition.on("f", "city").as(ValueType.STRING).named("by_city").eager()),
        IntStream.range(1, REGIONS).mapToObj(i -> key(i * ROWS / REGIONS)).toArray(String[]::new));
  }

  static PeopleTable create(TestCluster cluster) throws Exception {
    PeopleTable people = new PeopleTable(cluster);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(Bytes.toBytes(key(i)))
              .addColumn(F, Bytes.toBytes("email"), Bytes.toBytes("p%d@example.org".formatted(i)))
              .addColumn(F, Bytes.toBytes("city"), Bytes.toBytes(city(i)))
              .addColumn(F, Bytes.toBytes("phone"), Bytes.toBytes("0" + i)));
    }
    people.table().put(puts);
    cluster.tables().awaitPrecise(people.name());
    return people;
  }

  private static String key(int i) {
    return "p%04d".formatted(i);
  }

  /** Each city has the people of two regions. */
  private static String city(int i) {
    return "city" + i / (2 * ROWS / REGIONS);
  }

  /**
   * What came out, and what the servers counted meanwhile.
   *
   * @param regions which regions were read, from 0 on
   */
  record Watched(List<String> rows, List<Integer> regions) {}

  /**
   * Lets Drill answer a query about this table, which the query names people, through the plugin
   * with the index and through the one without, and asserts that both say the same.
   */
  Watched watch(Drill drill, String query) throws IOException {
    List<String> plain = drill.ask(query.replace("people", from(DrillReadsIT.PLAIN)));
    List<Long> before = readsPerRegion();
    List<String> rows = drill.ask(query.replace("people", from(DrillReadsIT.INDEXED)));
    List<Long> after = readsPerRegion();
    assertThat(rows).containsExactlyInAnyOrderElementsOf(plain);
    return new Watched(
        rows,
        IntStream.range(0, REGIONS).filter(i -> after.get(i) > before.get(i)).boxed().toList());
  }

  private String from(String plugin) {
    return "%s.`%s`".formatted(plugin, name().getNameAsString());
  }
}
