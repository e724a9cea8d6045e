/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.table.TableAttributes;
import io.hbaseindex.core.definition.DefinitionException;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import java.util.Map;
import java.util.Optional;
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
    keepTypedAgain(before, attributes);
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
   * An index typed once more, without its id, is the one that is there and not a new one. Its
   * routes are those that were typed: they take no other postings. So are its included columns; if
   * they are others than before, the index gets a new version, whether its id was typed or not.
   */
  private static void keepTypedAgain(TableIndexes before, Map<String, String> attributes) {
    TableIndexes typed = TableIndexes.parse(attributes);
    for (IndexDefinition index : typed.definitions()) {
      Optional<IndexDefinition> present = before.byName(index.name()).filter(index::isSameIndex);
      boolean anew =
          present.isPresent()
              && (index.id() == IndexDefinition.UNASSIGNED
                  || index.id() == present.get().id()
                      && !index.included().equals(present.get().included()));
      if (anew) {
        String attribute = TableIndexes.INDEX_ATTRIBUTE_PREFIX + index.name();
        attributes.put(attribute, before.redeclared(index).toAttributes().get(attribute));
      }
    }
  }
}
