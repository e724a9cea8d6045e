/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import io.hbaseindex.bench.cluster.CustomerRows;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/** A table of Apache Phoenix, with its indexes, through JDBC. */
final class PhoenixContender implements Contender {
  /** The settings that Phoenix asks of region servers. */
  static final Map<String, String> SERVER_SETTINGS =
      Map.of(
          "hbase.regionserver.wal.codec",
          "org.apache.hadoop.hbase.regionserver.wal.IndexedWALEditCodec",
          "hbase.region.server.rpc.scheduler.factory.class",
          "org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory",
          "hbase.rpc.controllerfactory.class",
          "org.apache.hadoop.hbase.ipc.controller.ServerRpcControllerFactory");

  /** Which of its indexes the table has. */
  enum Kind {
    LOCAL("Phoenix local"),
    COVERED("Phoenix global, covered"),
    UNCOVERED("Phoenix global, uncovered");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private static final String COLUMNS = "K, EMAIL, CITY, STATUS";

  private final Kind kind;
  private final String table;
  private final String url;
  private final int rows;

  PhoenixContender(Kind kind, String url, int rows) {
    this.kind = kind;
    this.table = "P_" + kind;
    this.url = url;
    this.rows = rows;
  }

  @Override
  public String label() {
    return kind.label;
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("UpsertBatchSize", "1000");
    Connection connection = DriverManager.getConnection(url, properties);
    connection.setAutoCommit(false);
    return connection;
  }

  /** The tables of global indexes are split like the data, so that all servers share their load. */
  @Override
  public void create(byte[][] splitKeys) throws SQLException {
    int regions = splitKeys.length + 1;
    String emails = splits(regions, part -> CustomerRows.email((long) rows * part / regions));
    String cities =
        splits(regions, part -> CustomerRows.city(CustomerRows.CITIES * part / regions));
    String keys = splits(regions, part -> splitKeys[part - 1]);
    List<String> statements = new ArrayList<>();
    statements.add(
        "CREATE TABLE %s (K VARCHAR PRIMARY KEY, F.EMAIL VARCHAR, F.CITY VARCHAR, F.STATUS VARCHAR, F.PAYLOAD VARBINARY) UPDATE_CACHE_FREQUENCY=600000 %s"
            .formatted(table, keys));
    switch (kind) {
      case LOCAL -> {
        statements.add("CREATE LOCAL INDEX %s_E ON %s (EMAIL)");
        statements.add("CREATE LOCAL INDEX %s_C ON %s (CITY, STATUS)");
      }
      case COVERED -> {
        statements.add("CREATE INDEX %s_E ON %s (EMAIL) INCLUDE (CITY, STATUS) " + emails);
        statements.add("CREATE INDEX %s_C ON %s (CITY, STATUS) INCLUDE (EMAIL) " + cities);
      }
      case UNCOVERED -> {
        statements.add("CREATE UNCOVERED INDEX %s_E ON %s (EMAIL) " + emails);
        statements.add("CREATE UNCOVERED INDEX %s_C ON %s (CITY, STATUS) " + cities);
      }
    }
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql.formatted(table, table));
      }
    }
  }

  /** Gives the key where a part begins. */
  private interface SplitKey {
    byte[] of(int part);
  }

  private static String splits(int regions, SplitKey key) {
    return IntStream.range(1, regions)
        .mapToObj(part -> "'" + CustomerQuestion.text(key.of(part)) + "'")
        .collect(Collectors.joining(", ", "SPLIT ON (", ")"));
  }

  @Override
  public List<TableName> tables() {
    return kind == Kind.LOCAL
        ? List.of(TableName.valueOf(table))
        : List.of(
            TableName.valueOf(table),
            TableName.valueOf(table + "_E"),
            TableName.valueOf(table + "_C"));
  }

  /** Its indexes are up to date when a commit returns. */
  @Override
  public void settle() {}

  @Override
  public long filterBytes() {
    return 0;
  }

  @Override
  public Session open() throws SQLException {
    Connection connection = connect();
    Map<CustomerQuestion, PreparedStatement> asked = new EnumMap<>(CustomerQuestion.class);
    for (CustomerQuestion question : CustomerQuestion.values()) {
      asked.put(
          question,
          connection.prepareStatement(
              "SELECT %s %s FROM %s WHERE %s"
                  .formatted(
                      hint(question),
                      question.isCount() ? "COUNT(*)" : COLUMNS,
                      table,
                      question.sql())));
    }
    return new SqlSession(
        connection,
        connection.prepareStatement(
            "UPSERT INTO %s (K, EMAIL, CITY, STATUS, PAYLOAD) VALUES (?, ?, ?, ?, ?)"
                .formatted(table)),
        connection.prepareStatement("UPSERT INTO %s (K, CITY) VALUES (?, ?)".formatted(table)),
        asked,
        rows);
  }

  /** Without it, Phoenix scans its table where the index lacks a column. */
  private String hint(CustomerQuestion question) {
    String index = question.sql().startsWith("EMAIL") ? table + "_E" : table + "_C";
    return "/*+ INDEX(%s %s) */".formatted(table, index);
  }

  @Override
  public void close() {}

  private record SqlSession(
      Connection connection,
      PreparedStatement whole,
      PreparedStatement city,
      Map<CustomerQuestion, PreparedStatement> asked,
      int rows)
      implements Session {

    @Override
    public void write(List<Put> puts) throws SQLException {
      for (Put put : puts) {
        if (put.has(CustomerRows.FAMILY, CustomerRows.EMAIL)) {
          whole.setString(1, CustomerQuestion.text(put.getRow()));
          whole.setString(2, value(put, CustomerRows.EMAIL));
          whole.setString(3, value(put, CustomerRows.CITY));
          whole.setString(4, value(put, CustomerRows.STATUS));
          whole.setBytes(5, bytes(put, CustomerRows.PAYLOAD));
          whole.executeUpdate();
        } else {
          city.setString(1, CustomerQuestion.text(put.getRow()));
          city.setString(2, value(put, CustomerRows.CITY));
          city.executeUpdate();
        }
      }
      connection.commit();
    }

    private static String value(Put put, byte[] qualifier) {
      return new String(bytes(put, qualifier), StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(Put put, byte[] qualifier) {
      return CellUtil.cloneValue(put.get(CustomerRows.FAMILY, qualifier).get(0));
    }

    private ResultSet answer(CustomerQuestion question, int number) throws SQLException {
      PreparedStatement statement = asked.get(question);
      List<String> values = question.values(number, rows);
      for (int i = 0; i < values.size(); i++) {
        statement.setString(i + 1, values.get(i));
      }
      return statement.executeQuery();
    }

    @Override
    public long ask(CustomerQuestion question, int number) throws SQLException {
      try (ResultSet answer = answer(question, number)) {
        long found = 0;
        while (answer.next()) {
          found = question.isCount() ? answer.getLong(1) : found + readWhole(answer);
        }
        return found;
      }
    }

    /** A row counts when all that was selected has been read. */
    private static int readWhole(ResultSet answer) throws SQLException {
      for (int column = 1; column <= 4; column++) {
        answer.getBytes(column);
      }
      return 1;
    }

    @Override
    public Set<String> keys(CustomerQuestion question, int number) throws SQLException {
      Set<String> keys = new TreeSet<>();
      try (ResultSet answer = answer(question, number)) {
        while (answer.next()) {
          keys.add(answer.getString(1));
        }
      }
      return keys;
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
