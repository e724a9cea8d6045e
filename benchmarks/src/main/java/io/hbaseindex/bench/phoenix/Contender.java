/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/** A table of customers, kept and asked in one way; the same rows for all. */
interface Contender extends AutoCloseable {
  String label();

  /** Makes the empty table and its indexes. */
  void create(byte[][] splitKeys) throws Exception;

  /** The HBase tables that it is made of. */
  List<TableName> tables();

  /** Waits until nothing is left to do after writes, for example building and publishing. */
  void settle() throws Exception;

  /** Bytes of the filters that the master holds of it. */
  long filterBytes() throws IOException;

  Session open() throws Exception;

  @Override
  void close() throws IOException;

  /** What one thread does with the table. */
  interface Session extends AutoCloseable {
    /** Writes rows or parts of them in one call; they are durable when it returns. */
    void write(List<Put> puts) throws Exception;

    /** Asks, reads the answer to its end, and returns how many rows it had or counted. */
    long ask(CustomerQuestion question, int number) throws Exception;

    /** The keys of the rows that are found. */
    Set<String> keys(CustomerQuestion question, int number) throws Exception;

    @Override
    void close() throws IOException, SQLException;
  }
}
