/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Which table is read, and how its cluster is reached.
 *
 * @param table the table's name, with its namespace if that is not the default one
 * @param settings what is set beside the {@code hbase-site.xml} on the class path
 */
record HBaseSource(String table, Map<String, String> settings) implements Serializable {
  /** The option that names the table. */
  static final String TABLE = "table";

  private static final String[] OWN_SETTINGS = {"hbase.", "hbaseindex.", "zookeeper."};

  /** Copies the settings into a map that can be serialized. */
  HBaseSource {
    settings = new TreeMap<>(settings);
  }

  /**
   * What the options of a reader say.
   *
   * @param options with names as the user wrote them
   * @param session what Spark gives to Hadoop: settings begin with {@code spark.hadoop.} there
   */
  static HBaseSource of(Map<String, String> options, Configuration session) {
    Map<String, String> settings = new TreeMap<>();
    session.forEach(entry -> put(settings, entry.getKey(), entry.getValue()));
    options.forEach((name, value) -> put(settings, name, value));
    String table = optionOf(options, TABLE);
    if (table.isBlank()) {
      throw new IllegalArgumentException(
          "Cannot read from HBase: option table was missing; name the table by .option(\"table\", …)");
    }
    return new HBaseSource(TableName.valueOf(table.trim()).getNameAsString(), settings);
  }

  private static void put(Map<String, String> settings, String name, String value) {
    for (String prefix : OWN_SETTINGS) {
      if (name.startsWith(prefix)) {
        settings.put(name, value);
      }
    }
  }

  /** An option, whatever its case; empty if it is missing. */
  static String optionOf(Map<String, String> options, String name) {
    return options.entrySet().stream()
        .filter(option -> option.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  TableName tableName() {
    return TableName.valueOf(table);
  }

  /** The settings of this process for HBase, and those of the source on top. */
  Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    settings.forEach(conf::set);
    return conf;
  }

  /** A connection of HBase's own, to be closed. */
  Connection connect() throws IOException {
    return ConnectionFactory.createConnection(configuration());
  }
}
