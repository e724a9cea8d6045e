/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexMode;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.MalformedPostingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** The indexes of a region, with the views of them that its lifecycle needs. Immutable. */
@InterfaceAudience.Private
public final class IndexSet {

  private final List<IndexDefinition> definitions;

  public IndexSet(Collection<IndexDefinition> definitions) {
    this.definitions = List.copyOf(definitions);
  }

  public List<IndexDefinition> definitions() {
    return definitions;
  }

  public Set<Integer> ids() {
    return versions().keySet();
  }

  /** Versions by index id. */
  Map<Integer, Integer> versions() {
    return byId(IndexDefinition::version);
  }

  /**
   * A number by index id that changes with anything that decides which postings a row has to have.
   *
   * <p>That is more of the definition than its version, because a table's definitions can be set
   * back by restoring a snapshot and then go another way. And it is how long and in how many
   * versions the families keep their values: a longer time to live shows expired values again,
   * whose postings have ended, and fewer versions let compactions uncover older ones.
   */
  Map<Integer, Integer> fingerprints(TableDescriptor table) {
    return byId(index -> fingerprint(index, table));
  }

  private static int fingerprint(IndexDefinition index, TableDescriptor table) {
    StringBuilder text = new StringBuilder(index.contentText());
    for (ColumnRef column : index.allColumns()) {
      ColumnFamilyDescriptor family = table.getColumnFamily(column.family());
      text.append(", ttl=").append(family.getTimeToLive());
      text.append(", versions=").append(family.getMaxVersions());
    }
    CRC32C sum = new CRC32C();
    sum.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return (int) (sum.getValue() & Integer.MAX_VALUE);
  }

  private Map<Integer, Integer> byId(ToIntFunction<IndexDefinition> value) {
    Map<Integer, Integer> values = new TreeMap<>();
    definitions.forEach(index -> values.put(index.id(), value.applyAsInt(index)));
    return values;
  }

  /** The families that postings are made of, compared by content. */
  public Set<byte[]> families() {
    return byFamily().keySet();
  }

  /** Index ids by the families that their postings are made of. */
  Map<byte[], Set<Integer>> byFamily() {
    Map<byte[], Set<Integer>> byFamily = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (IndexDefinition index : definitions) {
      index
          .allColumns()
          .forEach(
              column ->
                  byFamily.computeIfAbsent(column.family(), f -> new HashSet<>()).add(index.id()));
    }
    return byFamily;
  }

  /** Whether postings may become stale without a write that ends them. */
  boolean collectStalePostings(TableDescriptor table) {
    return !idsWithStalePostings(table).isEmpty();
  }

  /** The indexes whose postings may become stale without a write that ends them. */
  public Set<Integer> idsWithStalePostings(TableDescriptor table) {
    Set<Integer> ids = new HashSet<>();
    for (IndexDefinition index : definitions) {
      boolean expires =
          index.decidingColumns().stream()
              .map(column -> table.getColumnFamily(column.family()))
              .anyMatch(family -> family.getTimeToLive() != HConstants.FOREVER);
      if (expires || index.mode() == IndexMode.LAZY) {
        ids.add(index.id());
      }
    }
    return ids;
  }

  /** The row that a posting is about; empty if it is no posting of these indexes in this region. */
  public Optional<byte[]> dataRowOf(byte[] indexRow, IndexRowKeys keys) {
    if (!keys.isOwn(indexRow, 0, indexRow.length)) {
      return Optional.empty();
    }
    int id = keys.indexIdOf(indexRow, 0, indexRow.length);
    Optional<IndexDefinition> index = definitions.stream().filter(i -> i.id() == id).findFirst();
    if (index.isEmpty()) {
      return Optional.empty();
    }
    try {
      int offset = keys.dataRowOffset(indexRow, 0, indexRow.length, index.get().columns().size());
      return Optional.of(Arrays.copyOfRange(indexRow, offset, indexRow.length));
    } catch (MalformedPostingException e) {
      return Optional.empty();
    }
  }
}
