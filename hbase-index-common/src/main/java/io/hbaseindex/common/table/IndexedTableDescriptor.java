/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.table;

import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.core.definition.TableIndexes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Adds indexes to a table descriptor and takes them out again. What comes back is an ordinary
 * descriptor, to be given to {@code Admin.createTable} or {@code Admin.modifyTable}.
 *
 * <pre>{@code
 * admin.createTable(
 *     IndexedTableDescriptor.with(
 *         descriptor, IndexDefinition.on("f", "email").named("by_email").eager()));
 * }</pre>
 */
@InterfaceAudience.Public
public final class IndexedTableDescriptor {
  private IndexedTableDescriptor() {}

  /**
   * The descriptor with these indexes added to those it has.
   *
   * @throws DefinitionException if the table cannot have them; the message says what to do
   */
  public static TableDescriptor with(TableDescriptor table, IndexDefinition... added) {
    TableIndexes indexes = indexesOf(table);
    SecureRandom random = new SecureRandom();
    for (IndexDefinition definition : added) {
      indexes = indexes.with(definition, random::nextLong);
    }
    return withIndexes(table, indexes);
  }

  /**
   * The descriptor without one of its indexes. The hidden family stays after the last one is gone,
   * so that no id is ever used twice; without indexes nothing is written to it. The descriptor says
   * by {@link TableIndexes#DROP_ATTRIBUTE} that the index is missing on purpose.
   */
  public static TableDescriptor without(TableDescriptor table, String indexName) {
    return withIndexes(table, indexesOf(table).without(indexName));
  }

  /**
   * The indexes a descriptor declares.
   *
   * @throws DefinitionException if they cannot be read
   */
  @InterfaceAudience.Private
  public static TableIndexes indexesOf(TableDescriptor table) {
    return TableIndexes.parse(TableAttributes.of(table));
  }

  /**
   * The descriptor with exactly these indexes, and everything they need: the hidden family, the
   * region observer and the split policy.
   *
   * @throws DefinitionException if the table cannot have them; the message says what to do
   */
  @InterfaceAudience.Private
  public static TableDescriptor withIndexes(TableDescriptor table, TableIndexes indexes) {
    IndexableTable.require(table, indexes);
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(table);
    for (String attribute : TableAttributes.of(table).keySet()) {
      if (TableIndexes.isOwnAttribute(attribute)) {
        builder.removeValue(Bytes.toBytes(attribute));
      }
    }
    indexes.toAttributes().forEach(builder::setValue);
    Set<String> dropped = missingFrom(table, indexes);
    if (!dropped.isEmpty()) {
      builder.setValue(TableIndexes.DROP_ATTRIBUTE, String.join(",", dropped));
    }
    if (table.hasColumnFamily(IndexFamily.bytes())) {
      builder.modifyColumnFamily(HiddenFamily.of(table, indexes));
    } else if (!indexes.isEmpty()) {
      builder.setColumnFamily(HiddenFamily.of(table, indexes));
    }
    if (!indexes.isEmpty() && !table.hasCoprocessor(IndexSettings.REGION_OBSERVER_CLASS)) {
      addObserver(builder);
    }
    setSplitPolicy(table, indexes, builder);
    return builder.build();
  }

  /** Names of indexes that the descriptor says are missing on purpose. */
  @InterfaceAudience.Private
  public static Set<String> droppedIn(TableDescriptor table) {
    String names = table.getValue(TableIndexes.DROP_ATTRIBUTE);
    Set<String> dropped = new TreeSet<>();
    if (names != null) {
      for (String name : names.split(",")) {
        if (!name.isBlank()) {
          dropped.add(name.strip());
        }
      }
    }
    return dropped;
  }

  private static Set<String> missingFrom(TableDescriptor table, TableIndexes indexes) {
    Set<String> missing = droppedIn(table);
    for (String attribute : TableAttributes.of(table).keySet()) {
      if (attribute.startsWith(TableIndexes.INDEX_ATTRIBUTE_PREFIX)) {
        missing.add(attribute.substring(TableIndexes.INDEX_ATTRIBUTE_PREFIX.length()));
      }
    }
    missing.removeIf(name -> indexes.byName(name).isPresent());
    return missing;
  }

  /**
   * Wraps the table's own split policy as long as there are indexes, so that no index row becomes a
   * split point.
   */
  private static void setSplitPolicy(
      TableDescriptor table, TableIndexes indexes, TableDescriptorBuilder builder) {
    String policy = table.getRegionSplitPolicyClassName();
    boolean wraps = IndexSettings.SPLIT_POLICY_CLASS.equals(policy);
    if (!indexes.isEmpty() && !wraps) {
      builder.setRegionSplitPolicyClassName(IndexSettings.SPLIT_POLICY_CLASS);
      if (policy != null) {
        builder.setValue(IndexSettings.WRAPPED_SPLIT_POLICY, policy);
      }
    } else if (indexes.isEmpty() && wraps) {
      String wrapped = table.getValue(IndexSettings.WRAPPED_SPLIT_POLICY);
      builder.removeValue(Bytes.toBytes(IndexSettings.WRAPPED_SPLIT_POLICY));
      if (wrapped == null) {
        builder.removeValue(Bytes.toBytes(TableDescriptorBuilder.SPLIT_POLICY));
      } else {
        builder.setRegionSplitPolicyClassName(wrapped);
      }
    }
  }

  private static void addObserver(TableDescriptorBuilder builder) {
    try {
      // Lowest priority: it runs after all others and so sees what they made of a write.
      builder.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(IndexSettings.REGION_OBSERVER_CLASS)
              .setPriority(Coprocessor.PRIORITY_LOWEST)
              .build());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot add the index observer to the table descriptor: " + e.getMessage(), e);
    }
  }
}
