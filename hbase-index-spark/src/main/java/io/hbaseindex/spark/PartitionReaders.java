/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;

/** Reads partitions, each of which says all that there is to know. */
record PartitionReaders() implements PartitionReaderFactory {
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    RegionPartition part = (RegionPartition) partition;
    if (part.plan().reading() instanceof Reading.Figures figures) {
      return new FiguresReader(part, figures);
    }
    try {
      return RowsReader.open(part);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot read table %s: %s".formatted(part.plan().source().table(), e.getMessage()), e);
    }
  }
}
