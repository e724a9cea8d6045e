/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.core.definition.ColumnRef;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonPrimitive;
import org.apache.yetus.audience.InterfaceAudience;

/** A row that was found, as it is shown: keys and values in characters that can be seen. */
@InterfaceAudience.Private
public record ShownRow(String key, List<Column> columns, boolean timestamps) {
  /**
   * A column of the row.
   *
   * @param timestamp when the value was written, in ms since 1970
   */
  record Column(String name, JsonPrimitive value, long timestamp) {}

  public static ShownRow of(FoundRow row, RowStyle style) {
    List<Column> columns = new ArrayList<>();
    for (Cell cell : row.result().rawCells()) {
      byte[] family = CellUtil.cloneFamily(cell);
      byte[] qualifier = CellUtil.cloneQualifier(cell);
      columns.add(
          new Column(
              ValueStyle.text(family) + ":" + ValueStyle.text(qualifier),
              style.typeOf(ColumnRef.of(family, qualifier)).show(CellUtil.cloneValue(cell)),
              cell.getTimestamp()));
    }
    return new ShownRow(ValueStyle.text(row.key()), columns, style.timestamps());
  }

  /** For a table: a line for each column, and one for a row that has none to show. */
  public List<Object[]> lines() {
    return columns.isEmpty()
        ? List.<Object[]>of(line("", "", ""))
        : columns.stream()
            .map(column -> line(column.name(), column.timestamp(), column.value().getAsString()))
            .toList();
  }

  private Object[] line(String column, Object timestamp, String value) {
    return timestamps
        ? new Object[] {key, column, timestamp, value}
        : new Object[] {key, column, value};
  }

  public JsonObject json() {
    JsonObject values = new JsonObject();
    columns.forEach(column -> values.add(column.name(), column.value()));
    JsonObject object = new JsonObject();
    object.addProperty("row", key);
    object.add("columns", values);
    if (timestamps) {
      JsonObject times = new JsonObject();
      columns.forEach(column -> times.addProperty(column.name(), column.timestamp()));
      object.add("timestamps", times);
    }
    return object;
  }
}
