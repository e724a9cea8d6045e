/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.growth;

import io.hbaseindex.core.definition.IndexDefinition;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Put;

/**
 * Rows of {@value #COLUMNS} short columns that may be indexed, and a payload that makes up for the
 * rest. The same number and version give the same row.
 */
final class WideRows {
  static final int COLUMNS = 30;
  static final byte[] FAMILY = bytes("f");
  private static final byte[] PAYLOAD = bytes("payload");
  private static final int VALUE_BYTES = 5;

  /** Rows that have a value, in the mean. */
  private static final int ROWS_OF_VALUE = 10;

  private final int rows;
  private final int payloadBytes;

  /**
   * @param rows up to 10,000,000, so that values have five digits
   * @param bytes of all values of a row
   */
  WideRows(int rows, int bytes) {
    this.rows = rows;
    this.payloadBytes = Math.max(0, bytes - COLUMNS * VALUE_BYTES);
  }

  byte[][] splitKeys(int regions) {
    return IntStream.range(1, regions)
        .mapToObj(region -> key((long) rows * region / regions))
        .toArray(byte[][]::new);
  }

  /** Indexes on the first columns. */
  static IndexDefinition[] indexes(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            column -> IndexDefinition.on(FAMILY, qualifier(column)).named("by_" + column).eager())
        .toArray(IndexDefinition[]::new);
  }

  /** A whole row, all of whose values another version changes. */
  Put whole(long number, int version) {
    Random random = new Random(number * 31 + version);
    Put put = new Put(key(number));
    for (int column = 0; column < COLUMNS; column++) {
      put.addColumn(FAMILY, qualifier(column), value(random.nextInt(values())));
    }
    byte[] payload = new byte[payloadBytes];
    random.nextBytes(payload);
    return put.addColumn(FAMILY, PAYLOAD, payload);
  }

  /** A change of the first column alone. */
  Put change(long number, int version) {
    Random random = new Random(number * 37 + version);
    return new Put(key(number)).addColumn(FAMILY, qualifier(0), value(random.nextInt(values())));
  }

  /** How many values a column has. */
  int values() {
    return Math.max(1, rows / ROWS_OF_VALUE);
  }

  static byte[] value(int number) {
    return bytes("%05x".formatted(number));
  }

  static byte[] qualifier(int column) {
    return bytes("c%02d".formatted(column));
  }

  static byte[] key(long number) {
    return bytes("w%015d".formatted(number));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
