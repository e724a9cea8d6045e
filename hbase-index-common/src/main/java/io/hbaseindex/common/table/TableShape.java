/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.table;

import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.hash.ElementHasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A number for all that a client reads out of a table's descriptor to decide where to scan: the
 * families, the versions they keep, the indexes and the coprocessors. Two descriptors of one number
 * lead to the same decision. Whoever decided by a descriptor of another number decided by one that
 * is no longer true.
 */
@InterfaceAudience.Private
public final class TableShape {
  private static final ElementHasher HASHER = ElementHasher.of(0x7461626c65L, 1);

  private TableShape() {}

  /** The number of a descriptor. */
  public static long of(TableDescriptor table) {
    List<byte[]> parts = new ArrayList<>();
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      parts.add(family.getName());
      parts.add(text(Integer.toString(family.getMaxVersions())));
    }
    ownAttributes(table)
        .forEach(
            (name, value) -> {
              parts.add(text(name));
              parts.add(value);
            });
    table.getCoprocessorDescriptors().stream()
        .map(CoprocessorDescriptor::getClassName)
        .sorted()
        .forEach(name -> parts.add(text(name)));
    return HASHER.hashCombination(parts.toArray(byte[][]::new));
  }

  /** A descriptor with the same number that says nothing but what goes into it. */
  public static TableDescriptor reduced(TableDescriptor table) throws IOException {
    TableDescriptorBuilder reduced = TableDescriptorBuilder.newBuilder(table.getTableName());
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      reduced.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family.getName())
              .setMaxVersions(family.getMaxVersions())
              .build());
    }
    ownAttributes(table)
        .forEach((name, value) -> reduced.setValue(name.getBytes(StandardCharsets.UTF_8), value));
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      reduced.setCoprocessor(coprocessor.getClassName());
    }
    return reduced.build();
  }

  private static Map<String, byte[]> ownAttributes(TableDescriptor table) {
    Map<String, byte[]> attributes = new TreeMap<>();
    table
        .getValues()
        .forEach(
            (key, value) -> {
              String name = new String(key.copyBytes(), StandardCharsets.UTF_8);
              if (TableIndexes.isOwnAttribute(name)) {
                attributes.put(name, value.copyBytes());
              }
            });
    return attributes;
  }

  private static byte[] text(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
