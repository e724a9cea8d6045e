/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.core.definition.IndexDefinition;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A table as Spark sees it: columns to read, and nothing to write. */
record SourceTable(HBaseSource source, SourceSchema shape, List<IndexDefinition> indexes)
    implements SupportsRead {
  @Override
  public String name() {
    return source.table();
  }

  /** Spark 3.5 still asks for this one, from which it makes what has taken its place. */
  @Override
  @SuppressWarnings("deprecation")
  public StructType schema() {
    return shape.structType();
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new IndexScanBuilder(source, shape, indexes);
  }
}
