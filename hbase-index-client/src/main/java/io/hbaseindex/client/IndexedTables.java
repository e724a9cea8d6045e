/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client;

import io.hbaseindex.client.routing.scan.TableScans;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;

/** Tables of HBase's client whose scans are routed; all else they do is HBase's own. */
final class IndexedTables {
  private final Configuration conf;
  private final TableScans scans;

  IndexedTables(Configuration conf, TableScans scans) {
    this.conf = conf;
    this.scans = scans;
  }

  Table wrap(Table table) {
    return wrap(table, false);
  }

  /**
   * @param ownCalls whether calls of this table carry what others do not
   */
  private Table wrap(Table table, boolean ownCalls) {
    return Forwarding.proxy(
        Table.class,
        table,
        (method, arguments, passOn) ->
            switch (method.getName()) {
              case "getScanner" ->
                  // Scanners of a family or a column alone have no filter to route by.
                  arguments[0] instanceof Scan scan
                      ? scans.open(table, scan, ownCalls)
                      : passOn.call();
              case "getConfiguration" -> conf;
              default -> passOn.call();
            });
  }

  /** A builder of such tables, with all options that this version of HBase has. */
  TableBuilder wrap(TableBuilder builder) {
    TableBuilder[] self = new TableBuilder[1];
    boolean[] ownCalls = new boolean[1];
    self[0] =
        Forwarding.proxy(
            TableBuilder.class,
            builder,
            (method, arguments, passOn) -> {
              Object result = passOn.call();
              ownCalls[0] |= method.getName().startsWith("setRequestAttribute");
              return result instanceof Table table ? wrap(table, ownCalls[0]) : self[0];
            });
    return self[0];
  }
}
