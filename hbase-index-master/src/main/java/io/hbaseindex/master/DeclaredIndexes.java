/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.table.TableAttributes;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import java.util.Map;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The attributes of a requested descriptor, read so that nothing a table has learned is lost. */
final class DeclaredIndexes {

  private DeclaredIndexes() {}

  /** Whether the descriptor speaks of indexes at all. */
  static boolean isDeclared(TableDescriptor table) {
    return TableAttributes.of(table).keySet().stream().anyMatch(TableIndexes::isOwnAttribute);
  }

  /** The requested indexes, with the seed and the used ids of the table as it is now. */
  static TableIndexes merged(TableIndexes before, TableDescriptor requested) {
    Map<String, String> attributes = TableAttributes.of(requested);
    keepKnown(before, attributes);
    TableIndexes asked = TableIndexes.parse(attributes);
    String known = before.toAttributes().get(TableIndexes.TABLE_ATTRIBUTE);
    if (known == null) {
      return asked;
    }
    if (attributes.containsKey(TableIndexes.TABLE_ATTRIBUTE)) {
      if (asked.seed() != before.seed()) {
        throw new DefinitionException(
            "Cannot alter table %s: the seed in attribute %s was changed; leave the attribute as it is"
                .formatted(requested.getTableName(), TableIndexes.TABLE_ATTRIBUTE));
      }
      if (asked.nextId() >= before.nextId()) {
        return asked;
      }
    }
    attributes.put(TableIndexes.TABLE_ATTRIBUTE, known);
    return TableIndexes.parse(attributes);
  }

  /**
   * An index typed once more, without its id, is the one that is there and not a new one. It keeps
   * the routes that it has, whatever the change says: somebody else may have added them since the
   * descriptor was read. So it does with its included columns, types and condition if the change
   * names none; if it names others, the index gets a new version.
   */
  private static void keepKnown(TableIndexes before, Map<String, String> attributes) {
    for (IndexDefinition index : TableIndexes.parse(attributes).definitions()) {
      boolean known =
          before
              .byName(index.name())
              .filter(index::isSameIndex)
              .filter(same -> index.id() == IndexDefinition.UNASSIGNED || index.id() == same.id())
              .isPresent();
      if (known) {
        String attribute = TableIndexes.INDEX_ATTRIBUTE_PREFIX + index.name();
        attributes.put(attribute, before.redeclared(index).toAttributes().get(attribute));
      }
    }
  }
}
