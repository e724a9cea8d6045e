/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.TestTables;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The table a run works on: its families, its indexes and where it is split at first. */
final class OracleTable {

  /** Long enough to see values live, short enough to see them expire during one run. */
  private static final int TTL_SECONDS = 10;

  /** Of texts taken for numbers some are as long as numbers are, and most are not. */
  static final List<IndexDefinition> INDEXES =
      List.of(
          IndexDefinition.on("f", "email")
              .including("f:count", "f:trail", "g:tag")
              .named("by_email")
              .eager(),
          IndexDefinition.on("f", "city").withTimes().named("by_city").eager(),
          IndexDefinition.on("f", "count")
              .as(ValueType.LONG)
              .including("t:session")
              .named("by_count")
              .eager(),
          IndexDefinition.on("f", "trail")
              .as(ValueType.FLOAT)
              .withTimes()
              .named("by_trail")
              .eager(),
          IndexDefinition.on("g", "tag")
              .as(ValueType.SHORT)
              .including("f:city", "g:mood")
              .named("by_tag")
              .eager(),
          IndexDefinition.on("g", "mood").as(ValueType.SHORT).named("by_mood").lazy(),
          IndexDefinition.on("t", "session").named("by_session").eager(),
          IndexDefinition.on("f", "city")
              .and("g", "tag")
              .as(ValueType.SHORT)
              .including("f:email")
              .named("by_city_and_tag")
              .eager(),
          IndexDefinition.on("f", "note")
              .where("g:state>=a<c|\\xFF")
              .including("g:state", "f:city")
              .named("notes_in_states")
              .eager(),
          IndexDefinition.on("f", "note")
              .and("g", "state")
              .where("t:session f:note<b")
              .named("notes_in_sessions")
              .eager(),
          IndexDefinition.on("f", "note").where("g:state=|\\x00").named("idle_notes").lazy());

  /** The indexes of values that expire, and whose postings are stale from then on. */
  static final List<String> EXPIRING = List.of("by_session", "notes_in_sessions");

  private OracleTable() {}

  /** What the indexes say that a column holds. */
  static ValueType typeOf(Column column) {
    ColumnRef wanted = ColumnRef.of(column.family(), column.qualifier());
    for (IndexDefinition index : INDEXES) {
      int at = index.columns().indexOf(wanted);
      if (at >= 0) {
        return index.types().get(at);
      }
    }
    return ValueType.BYTES;
  }

  /** A table with one, three and one version kept, the last with a time to live. */
  static TableDescriptor descriptor() {
    return IndexedTableDescriptor.with(families(), INDEXES.toArray(IndexDefinition[]::new));
  }

  private static TableDescriptor families() {
    TableName name = TestTables.uniqueName("oracle");
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("g")).setMaxVersions(3).build())
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t"))
                .setTimeToLive(TTL_SECONDS)
                .build())
        .build();
  }

  static byte[][] firstSplits() {
    return new byte[][] {Bytes.toBytes("k060"), Bytes.toBytes("k120"), Bytes.toBytes("k180")};
  }
}
