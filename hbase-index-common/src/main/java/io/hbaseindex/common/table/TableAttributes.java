/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.table;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/** The attributes of a table descriptor as text. */
@InterfaceAudience.Private
public final class TableAttributes {
  private TableAttributes() {}

  /** All of them, by name; the caller may change the map. */
  public static Map<String, String> of(TableDescriptor table) {
    Map<String, String> attributes = new TreeMap<>();
    table.getValues().forEach((key, value) -> attributes.put(text(key.get()), text(value.get())));
    return attributes;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
