/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.client.query.FoundRow;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** A row that was found, as it is shown: keys and values in printable characters. */
@InterfaceAudience.Private
public record ShownRow(String key, List<Column> columns) {
  /** A column of the row. */
  record Column(String name, String value) {}

  public static ShownRow of(FoundRow row) {
    List<Column> columns = new ArrayList<>();
    for (Cell cell : row.result().rawCells()) {
      String name =
          Bytes.toStringBinary(CellUtil.cloneFamily(cell))
              + ":"
              + Bytes.toStringBinary(CellUtil.cloneQualifier(cell));
      columns.add(new Column(name, Bytes.toStringBinary(CellUtil.cloneValue(cell))));
    }
    return new ShownRow(Bytes.toStringBinary(row.key()), columns);
  }

  /** For a table: a line for each column, and one for a row that has none to show. */
  public List<Object[]> lines() {
    return columns.isEmpty()
        ? List.<Object[]>of(new Object[] {key, "", ""})
        : columns.stream()
            .map(column -> new Object[] {key, column.name(), column.value()})
            .toList();
  }

  public JsonObject json() {
    JsonObject values = new JsonObject();
    columns.forEach(column -> values.addProperty(column.name(), column.value()));
    JsonObject object = new JsonObject();
    object.addProperty("row", key);
    object.add("columns", values);
    return object;
  }
}
