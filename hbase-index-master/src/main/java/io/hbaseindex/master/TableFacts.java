/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.table.TableShape;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/** What a client has to know of a table before it may use a route, as it is at the master. */
final class TableFacts {
  private record Known(TableDescriptor descriptor, long shape) {}

  private static final int MOST_TABLES = 10_000;

  /** Where descriptors come from. */
  interface Descriptors {
    TableDescriptor get(TableName table) throws IOException;
  }

  private final Descriptors descriptors;
  private final boolean cellsMayHide;
  private final Map<TableName, Known> shapes = new ConcurrentHashMap<>();

  TableFacts(Descriptors descriptors, Configuration conf) {
    this.descriptors = descriptors;
    this.cellsMayHide =
        Stream.of(
                CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
                CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY,
                CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY)
            .flatMap(key -> Stream.of(conf.getTrimmedStrings(key)))
            .anyMatch(TableFacts::hidesCells);
  }

  private static boolean hidesCells(String coprocessor) {
    return coprocessor.startsWith(AccessController.class.getName())
        || coprocessor.startsWith(VisibilityController.class.getName());
  }

  /** The {@link TableShape} of the table's descriptor; empty if there is no such table. */
  OptionalLong shape(TableName table) throws IOException {
    TableDescriptor descriptor = descriptors.get(table);
    if (descriptor == null) {
      return OptionalLong.empty();
    }
    Known known = shapes.get(table);
    // HBase hands out the same object until the descriptor changes.
    if (known == null || known.descriptor() != descriptor) {
      if (shapes.size() >= MOST_TABLES) {
        shapes.clear();
      }
      known = new Known(descriptor, TableShape.of(descriptor));
      shapes.put(table, known);
    }
    return OptionalLong.of(known.shape());
  }

  /** Whether cell permissions or visibility labels are in force in the cluster. */
  boolean cellsMayHide() {
    return cellsMayHide;
  }
}
