/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import io.hbaseindex.common.table.IndexableTable;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.IndexRowKeys;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a region has to index, read from its table's descriptor when it opens, or why it stays
 * unindexed. A region opens whatever the descriptor says: broken definitions cost the index, never
 * the table.
 */
@InterfaceAudience.Private
public sealed interface RegionPlan {
  /**
   * The region keeps indexes.
   *
   * @param definitions those it keeps; at least one
   * @param unsupported those it cannot keep, with the reason
   */
  record Indexed(
      TableIndexes definitions, IndexRowKeys keys, Map<IndexDefinition, String> unsupported)
      implements RegionPlan {
    public Indexed {
      unsupported = Map.copyOf(unsupported);
    }
  }

  /**
   * The region keeps no index and scans plainly.
   *
   * @param fault whether someone ought to do something about it
   */
  record Unindexed(String reason, boolean fault) implements RegionPlan {}

  /** The descriptor that the region was opened with declares no index. */
  Unindexed NONE_DECLARED = new Unindexed("the table has no index", false);

  /** Decides for one region. */
  static RegionPlan of(TableDescriptor table, RegionInfo region) {
    TableIndexes definitions;
    try {
      definitions = IndexedTableDescriptor.indexesOf(table);
    } catch (DefinitionException e) {
      return new Unindexed(e.getMessage(), true);
    }
    if (definitions.isEmpty()) {
      return NONE_DECLARED;
    }
    if (region.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      return new Unindexed("the region is a replica", false);
    }
    Optional<String> fault = faultOf(table, definitions);
    if (fault.isPresent()) {
      return new Unindexed(fault.get(), true);
    }
    Map<IndexDefinition, String> unsupported = unsupported(table, definitions);
    TableIndexes kept = definitions;
    for (IndexDefinition index : unsupported.keySet()) {
      kept = kept.without(index.name());
    }
    return kept.isEmpty()
        ? new Unindexed(String.join("; ", new TreeSet<>(unsupported.values())), true)
        : planFor(region, kept, unsupported);
  }

  private static RegionPlan planFor(
      RegionInfo region, TableIndexes kept, Map<IndexDefinition, String> unsupported) {
    return keysOf(region)
        .<RegionPlan>map(keys -> new Indexed(kept, keys, unsupported))
        .orElseGet(() -> new Unindexed("its key range has no room for index rows", false));
  }

  private static Optional<IndexRowKeys> keysOf(RegionInfo region) {
    return IndexRowKeys.ofRegion(
        region.getStartKey(),
        region.getEndKey(),
        region.getEncodedName().getBytes(StandardCharsets.US_ASCII));
  }

  private static Optional<String> faultOf(TableDescriptor table, TableIndexes definitions) {
    if (!definitions.isComplete()) {
      return Optional.of(
          "Cannot index the table: an index has no id or the table no seed; add indexes through"
              + " the index API, or load the master observer and alter the table again");
    }
    ColumnFamilyDescriptor hidden = table.getColumnFamily(IndexFamily.bytes());
    if (hidden == null) {
      return Optional.of(
          "Cannot index the table: family "
              + IndexFamily.NAME
              + " is missing; add indexes through the index API, or load the master observer");
    }
    return IndexableTable.faultOfPostings(hidden)
        .map(fault -> "Cannot index the table: family " + IndexFamily.NAME + " " + fault);
  }

  private static Map<IndexDefinition, String> unsupported(
      TableDescriptor table, TableIndexes definitions) {
    Map<IndexDefinition, String> unsupported = new HashMap<>();
    for (IndexDefinition definition : definitions.definitions()) {
      for (ColumnRef column : definition.allColumns()) {
        faultOf(table.getColumnFamily(column.family()))
            .ifPresent(
                fault ->
                    unsupported.put(
                        definition,
                        "Cannot keep index %s: family %s %s"
                            .formatted(definition.name(), column.familyName(), fault)));
      }
    }
    return unsupported;
  }

  private static Optional<String> faultOf(ColumnFamilyDescriptor family) {
    return family == null ? Optional.of("is gone; drop the index") : IndexableTable.faultOf(family);
  }
}
