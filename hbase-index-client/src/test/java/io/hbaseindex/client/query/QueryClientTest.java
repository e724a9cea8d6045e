/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.query;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.junit.jupiter.api.Test;

class QueryClientTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final IndexQuery QUERY =
      IndexQuery.from(TABLE).where(Column.of("f", "c").equalTo("x"));

  private final TableNotFoundException failure = new TableNotFoundException(TABLE);
  private final QueryClient client = QueryClient.of(connectionWhoseScansFail());

  @Test
  void errorsOfTheServers_comeAsTheyAre() {
    assertThatThrownBy(() -> client.count(QUERY)).isSameAs(failure);
    assertThatThrownBy(() -> client.exists(QUERY)).isSameAs(failure);
    assertThatThrownBy(() -> client.page(QUERY, 5, Optional.empty())).isSameAs(failure);
  }

  private Connection connectionWhoseScansFail() {
    Table table =
        answering(Table.class, Map.of("getScanner", new FailingScanner(), "getName", TABLE));
    return answering(Connection.class, Map.of("getTable", table));
  }

  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  private final class FailingScanner implements ResultScanner {
    @Override
    public Result next() throws IOException {
      throw failure;
    }

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
