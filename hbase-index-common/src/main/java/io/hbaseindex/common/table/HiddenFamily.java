/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.table;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/**
 * The family of the postings: one version, kept for ever, not replicated (each cluster makes its
 * own postings), and no less compressed or encrypted than the values it repeats.
 */
final class HiddenFamily {
  /**
   * A seek decodes half a block from its beginning, posting by posting, and a question seeks once
   * in each region. An existing family keeps the size it has: it is for the user to change.
   */
  private static final int BLOCK_BYTES = 8 << 10;

  private HiddenFamily() {}

  static ColumnFamilyDescriptor of(TableDescriptor table, TableIndexes indexes) {
    ColumnFamilyDescriptorBuilder hidden =
        table.hasColumnFamily(IndexFamily.bytes())
            ? ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(IndexFamily.bytes()))
            : ColumnFamilyDescriptorBuilder.newBuilder(IndexFamily.bytes())
                .setBlocksize(BLOCK_BYTES);
    hidden
        .setMaxVersions(1)
        .setMinVersions(0)
        .setTimeToLive(HConstants.FOREVER)
        .setKeepDeletedCells(KeepDeletedCells.FALSE)
        .setNewVersionBehavior(false)
        .setMobEnabled(false)
        .setScope(HConstants.REPLICATION_SCOPE_LOCAL)
        .setBloomFilterType(BloomType.ROW)
        .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF);
    Map<String, ColumnFamilyDescriptor> sources = indexedFamilies(table, indexes);
    sources.values().stream()
        .findFirst()
        .ifPresent(source -> hidden.setCompressionType(source.getCompressionType()));
    sources.values().stream()
        .filter(source -> source.getEncryptionType() != null)
        .findFirst()
        .ifPresent(source -> copyEncryption(source, hidden));
    return hidden.build();
  }

  private static void copyEncryption(
      ColumnFamilyDescriptor source, ColumnFamilyDescriptorBuilder hidden) {
    hidden.setEncryptionType(source.getEncryptionType());
    if (source.getEncryptionKey() != null) {
      hidden.setEncryptionKey(source.getEncryptionKey());
    }
  }

  private static Map<String, ColumnFamilyDescriptor> indexedFamilies(
      TableDescriptor table, TableIndexes indexes) {
    Map<String, ColumnFamilyDescriptor> families = new LinkedHashMap<>();
    for (IndexDefinition definition : indexes.definitions()) {
      for (ColumnRef column : definition.allColumns()) {
        families.putIfAbsent(column.familyName(), table.getColumnFamily(column.family()));
      }
    }
    return families;
  }
}
