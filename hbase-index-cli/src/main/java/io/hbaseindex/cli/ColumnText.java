package io.hbaseindex.cli;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexFamily;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Columns as they are typed: {@code family:qualifier}, odd bytes as {@code \xHH}. */
final class ColumnText {
  private ColumnText() {}

  /**
   * Reads a column.
   *
   * @throws IllegalArgumentException if it is none; the message says how to write one
   */
  static ColumnRef parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException(
          "column was \"" + text + "\"; write family:qualifier, such as f:email");
    }
    return ColumnRef.of(
        Bytes.toBytesBinary(text.substring(0, colon)),
        Bytes.toBytesBinary(text.substring(colon + 1)));
  }

  /** Passes if the table has the families of these columns. */
  static void requireFamilies(TableDescriptor table, Collection<ColumnRef> columns)
      throws RefusedException {
    for (ColumnRef column : columns) {
      if (!table.hasColumnFamily(column.family())) {
        String known =
            Arrays.stream(table.getColumnFamilies())
                .map(ColumnFamilyDescriptor::getNameAsString)
                .filter(name -> !name.equals(IndexFamily.NAME))
                .collect(Collectors.joining(", "));
        throw new RefusedException(
            "Table %s has no column %s: its families are %s"
                .formatted(table.getTableName(), column, known));
      }
    }
  }
}
