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
    return Forwarding.proxy(
        Table.class,
        table,
        (method, arguments, passOn) ->
            switch (method.getName()) {
              case "getScanner" ->
                  // Scanners of a family or a column alone have no filter to route by.
                  arguments[0] instanceof Scan scan ? scans.open(table, scan) : passOn.call();
              case "getConfiguration" -> conf;
              default -> passOn.call();
            });
  }

  TableBuilder wrap(TableBuilder builder) {
    return new Builder(builder);
  }

  private final class Builder implements TableBuilder {
    private final TableBuilder builder;

    Builder(TableBuilder builder) {
      this.builder = builder;
    }

    @Override
    public TableBuilder setOperationTimeout(int timeout) {
      builder.setOperationTimeout(timeout);
      return this;
    }

    @Override
    public TableBuilder setRpcTimeout(int timeout) {
      builder.setRpcTimeout(timeout);
      return this;
    }

    @Override
    public TableBuilder setReadRpcTimeout(int timeout) {
      builder.setReadRpcTimeout(timeout);
      return this;
    }

    @Override
    public TableBuilder setWriteRpcTimeout(int timeout) {
      builder.setWriteRpcTimeout(timeout);
      return this;
    }

    @Override
    public TableBuilder setRequestAttribute(String key, byte[] value) {
      builder.setRequestAttribute(key, value);
      return this;
    }

    @Override
    public Table build() {
      return wrap(builder.build());
    }
  }
}
