/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.guide;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;

/** Carries out the statements of HBase's shell that the guides have, by the same calls as it. */
final class ShellStatements {
  private static final Pattern TEXT = Pattern.compile("'([^']*)'|\"([^\"]*)\"");
  private static final Pattern TIMESTAMP = Pattern.compile(", (\\d+)$");
  private static final Pattern CLUSTER_KEY = Pattern.compile("CLUSTER_KEY => '([^']+)'");
  private static final Pattern PEER_TABLE =
      Pattern.compile("TABLE_CFS => \\{'([^']+)' => \\[\\]\\}");
  private static final Pattern SCOPE = Pattern.compile("REPLICATION_SCOPE => (\\d)");

  private final Connection connection;
  private final Admin admin;

  private ShellStatements(Connection connection, Admin admin) {
    this.connection = connection;
    this.admin = admin;
  }

  /** Reads statements from standard input, up to the first that fails. */
  public static void main(String[] args) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin();
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      ShellStatements shell = new ShellStatements(connection, admin);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        for (String statement : line.split(";")) {
          shell.carryOut(statement.strip());
        }
      }
    }
  }

  private void carryOut(String statement) throws IOException {
    String verb = statement.split(" ", 2)[0];
    List<String> texts = texts(statement);
    TableName table = TableName.valueOf(texts.get(0));
    switch (verb) {
      case "add_peer" -> addPeer(texts.get(0), statement);
      case "remove_peer" -> admin.removeReplicationPeer(texts.get(0));
      case "create" -> create(table, texts.get(1), texts.subList(2, texts.size()));
      case "alter" -> alter(table, texts.get(1), statement);
      case "disable" -> admin.disableTable(table);
      case "enable" -> admin.enableTable(table);
      case "drop" -> admin.deleteTable(table);
      case "clone_snapshot" -> admin.cloneSnapshot(texts.get(0), TableName.valueOf(texts.get(1)));
      case "restore_snapshot" -> admin.restoreSnapshot(texts.get(0));
      case "delete_snapshot" -> admin.deleteSnapshot(texts.get(0));
      case "put" -> put(table, texts, statement);
      case "delete" -> delete(table, texts);
      case "deleteall" -> deleteRow(table, texts.get(1));
      default -> throw new IOException("Cannot carry out " + statement + ": it is not known here");
    }
  }

  /** What stands in quotes, in order. */
  private static List<String> texts(String statement) {
    List<String> texts = new ArrayList<>();
    Matcher matcher = TEXT.matcher(statement);
    while (matcher.find()) {
      texts.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    return texts;
  }

  private void create(TableName table, String family, List<String> splits) throws IOException {
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
            .build();
    admin.createTable(descriptor, splits.stream().map(Bytes::toBytes).toArray(byte[][]::new));
  }

  private void alter(TableName table, String family, String statement) throws IOException {
    Matcher scope = SCOPE.matcher(statement);
    if (!scope.find()) {
      throw new IOException("Cannot carry out " + statement + ": it is not known here");
    }
    admin.modifyColumnFamily(
        table,
        ColumnFamilyDescriptorBuilder.newBuilder(
                admin.getDescriptor(table).getColumnFamily(Bytes.toBytes(family)))
            .setScope(Integer.parseInt(scope.group(1)))
            .build());
  }

  private void addPeer(String peer, String statement) throws IOException {
    Matcher key = CLUSTER_KEY.matcher(statement);
    Matcher table = PEER_TABLE.matcher(statement);
    if (!key.find() || !table.find()) {
      throw new IOException("Cannot carry out " + statement + ": it is not known here");
    }
    admin.addReplicationPeer(
        peer,
        ReplicationPeerConfig.newBuilder()
            .setClusterKey(key.group(1))
            .setReplicateAllUserTables(false)
            .setTableCFsMap(Map.of(TableName.valueOf(table.group(1)), List.of()))
            .build());
  }

  private void put(TableName name, List<String> texts, String statement) throws IOException {
    byte[][] column = column(texts.get(2));
    Matcher timestamp = TIMESTAMP.matcher(statement);
    long time = timestamp.find() ? Long.parseLong(timestamp.group(1)) : HConstants.LATEST_TIMESTAMP;
    try (Table table = connection.getTable(name)) {
      table.put(
          new Put(Bytes.toBytes(texts.get(1)))
              .addColumn(column[0], column[1], time, value(texts.get(3))));
    }
  }

  /** Text in UTF-8, or bytes in the shell's notation. */
  private static byte[] value(String text) {
    return text.contains("\\x") ? Bytes.toBytesBinary(text) : Bytes.toBytes(text);
  }

  private void delete(TableName name, List<String> texts) throws IOException {
    byte[][] column = column(texts.get(2));
    try (Table table = connection.getTable(name)) {
      table.delete(new Delete(Bytes.toBytes(texts.get(1))).addColumns(column[0], column[1]));
    }
  }

  private void deleteRow(TableName name, String row) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.delete(new Delete(Bytes.toBytes(row)));
    }
  }

  private static byte[][] column(String text) {
    String[] parts = text.split(":", 2);
    return new byte[][] {Bytes.toBytes(parts[0]), Bytes.toBytes(parts[1])};
  }
}
