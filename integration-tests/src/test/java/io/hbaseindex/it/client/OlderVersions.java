/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import java.io.IOException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** A filter that matches older versions where a family keeps them, and a family that does. */
final class OlderVersions {
  private OlderVersions() {}

  static ColumnValueFilter cellWith(String column, String value) {
    return new ColumnValueFilter(
        PeopleTable.F, Bytes.toBytes(column), CompareOperator.EQUAL, Bytes.toBytes(value));
  }

  static void keep(Admin admin, TableName table, int versions) throws IOException {
    admin.modifyColumnFamily(
        table,
        ColumnFamilyDescriptorBuilder.newBuilder(
                admin.getDescriptor(table).getColumnFamily(PeopleTable.F))
            .setMaxVersions(versions)
            .build());
  }
}
