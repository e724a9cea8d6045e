/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.core.definition.IndexDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The data source {@code hbase-index}: HBase tables as DataFrames, whose filters, figures and first
 * rows are found by the tables' indexes.
 *
 * <pre>{@code
 * spark.read().format("hbase-index")
 *     .option("table", "people")
 *     .option("columns", "id :key string, city f:city string, joined f:joined long")
 *     .load()
 *     .where("city = 'Graz'");
 * }</pre>
 *
 * <p>Options that begin with {@code hbase.}, {@code hbaseindex.} or {@code zookeeper.} are settings
 * of HBase's client. Spark makes an object of this class whenever a table is read.
 */
@InterfaceAudience.Public
public final class IndexSource implements TableProvider, DataSourceRegister {
  /** For Spark, which finds the class by its short name. */
  public IndexSource() {}

  @Override
  public String shortName() {
    return "hbase-index";
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return tableOf(options.asCaseSensitiveMap()).shape().structType();
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return tableOf(properties);
  }

  private static SourceTable tableOf(Map<String, String> options) {
    HBaseSource source =
        HBaseSource.of(options, SparkSession.active().sparkContext().hadoopConfiguration());
    List<IndexDefinition> indexes = indexesOf(source);
    String columns = HBaseSource.optionOf(options, SourceSchema.COLUMNS);
    return new SourceTable(
        source,
        columns.isBlank() ? SourceSchema.of(indexes) : SourceSchema.parse(columns, indexes),
        indexes);
  }

  private static List<IndexDefinition> indexesOf(HBaseSource source) {
    try (Connection connection = source.connect()) {
      return IndexAdmin.of(connection).list(source.tableName());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot read table %s: %s".formatted(source.table(), e.getMessage()), e);
    }
  }
}
