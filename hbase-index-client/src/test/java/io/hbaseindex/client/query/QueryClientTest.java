/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.ValueType;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.types.OrderedFloat64;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class QueryClientTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexQuery QUERY =
      IndexQuery.from(TABLE).where(Column.of("f", "c").equalTo("x"));

  private final TableNotFoundException failure = new TableNotFoundException(TABLE);
  private final QueryClient client = QueryClient.of(connectionTo(new FailingScanner()));

  @Test
  void errorsOfTheServers_comeAsTheyAre() {
    assertThatThrownBy(() -> client.count(QUERY)).isSameAs(failure);
    assertThatThrownBy(() -> client.exists(QUERY)).isSameAs(failure);
    assertThatThrownBy(() -> client.page(QUERY, 5, Optional.empty())).isSameAs(failure);
  }

  @Test
  void minAndMax_ofAColumnWithAType_areValuesOfIt() throws IOException {
    byte[] negativeNaN = Bytes.toBytes(Double.longBitsToDouble(0xFFF8_0000_0000_0000L));
    ofType(
        ValueType.DOUBLE,
        List.of(negativeNaN, Bytes.toBytes(Double.NaN), new byte[3], new byte[0]),
        Bytes.toBytes(-2.5),
        Bytes.toBytes(1e300));
    ofType(
        ValueType.FLOAT,
        List.of(Bytes.toBytes(Float.NaN), new byte[8]),
        Bytes.toBytes(-2.5f),
        Bytes.toBytes(3f));
    ofType(
        ValueType.LONG, List.of(new byte[3], new byte[9]), Bytes.toBytes(-300L), Bytes.toBytes(7L));
    ofType(
        ValueType.DECIMAL,
        List.of(new byte[4], new byte[] {0, 0, 0, 0, 0, 1}),
        Bytes.toBytes(new BigDecimal("-1.50")),
        Bytes.toBytes(new BigDecimal("12")));
    ofType(
        ValueType.ORDERED_DOUBLE,
        List.of(Value.of(OrderedFloat64.ASCENDING, Double.NaN).bytes(), new byte[9]),
        Value.of(OrderedFloat64.ASCENDING, -2.5).bytes(),
        Value.of(OrderedFloat64.ASCENDING, 1e300).bytes());
    ofType(ValueType.BYTES, List.of(), new byte[0], new byte[] {-1, -1});
  }

  private static void ofType(ValueType type, List<byte[]> others, byte[] lowest, byte[] highest)
      throws IOException {
    Column column = Column.of("f", "c").as(type);
    List<byte[]> cells = new ArrayList<>(others);
    QueryClient without = QueryClient.of(connectionTo(new CellScanner(cells.iterator())));
    assertThat(without.min(QUERY, column)).as("min of %s without values", type).isEmpty();
    cells.addAll(List.of(highest, lowest));
    QueryClient low = QueryClient.of(connectionTo(new CellScanner(cells.iterator())));
    assertThat(low.min(QUERY, column).orElseThrow()).as("min of %s", type).isEqualTo(lowest);
    QueryClient high = QueryClient.of(connectionTo(new CellScanner(cells.iterator())));
    assertThat(high.max(QUERY, column).orElseThrow()).as("max of %s", type).isEqualTo(highest);
  }

  private static Connection connectionTo(ResultScanner scanner) {
    Table table = answering(Table.class, Map.of("getScanner", scanner, "getName", TABLE));
    return answering(Connection.class, Map.of("getTable", table));
  }

  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  private final class FailingScanner extends Scanner {
    @Override
    public Result next() throws IOException {
      throw failure;
    }
  }

  /** Rows with one cell each, as regions return them that have no index. */
  private static final class CellScanner extends Scanner {
    private final Iterator<byte[]> cells;

    CellScanner(Iterator<byte[]> cells) {
      this.cells = cells;
    }

    @Override
    public Result next() {
      if (!cells.hasNext()) {
        return null;
      }
      byte[] family = Bytes.toBytes("f");
      KeyValue cell = new KeyValue(new byte[] {'r'}, family, Bytes.toBytes("c"), 1, cells.next());
      return Result.create(List.of(cell));
    }
  }

  private abstract static class Scanner implements ResultScanner {
    @Override
    public void close() {}

    @Override
    public boolean renewLease() {
      return false;
    }

    @Override
    public ScanMetrics getScanMetrics() {
      return null;
    }
  }
}
