/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One row of the table.
 *
 * @param number the person's number in the order of joining, which makes the row key
 * @param joined when, in milliseconds since 1970
 * @param points what the person has collected
 */
record Person(
    int number, String name, String email, String city, String status, long joined, long points) {
  static final byte[] FAMILY = bytes("p");
  static final byte[] NAME = bytes("name");
  static final byte[] EMAIL = bytes("email");
  static final byte[] CITY = bytes("city");
  static final byte[] STATUS = bytes("status");
  static final byte[] JOINED = bytes("joined");
  static final byte[] POINTS = bytes("points");

  static byte[] key(int number) {
    return bytes("person%07d".formatted(number));
  }

  /** The row, written when the person joined. */
  Put toPut() {
    return new Put(key(number), joined)
        .addColumn(FAMILY, NAME, bytes(name))
        .addColumn(FAMILY, EMAIL, bytes(email))
        .addColumn(FAMILY, CITY, bytes(city))
        .addColumn(FAMILY, STATUS, bytes(status))
        .addColumn(FAMILY, JOINED, Bytes.toBytes(joined))
        .addColumn(FAMILY, POINTS, Bytes.toBytes(points));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
