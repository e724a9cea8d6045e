/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.hbase.client.Put;

/**
 * Rows as a customer table may have them: a key of 16 bytes, a unique e-mail address of about 25, a
 * city of about 8, a status of about 6, and 150 bytes of payload. The same number gives the same
 * row.
 */
public final class CustomerRows {
  public static final byte[] FAMILY = bytes("f");
  public static final byte[] EMAIL = bytes("email");
  public static final byte[] CITY = bytes("city");

  public static final byte[] STATUS = bytes("status");

  public static final byte[] PAYLOAD = bytes("payload");
  private static final int PAYLOAD_BYTES = 150;
  public static final int CITIES = 1_000;
  private static final String[] STATES = {"active", "closed", "frozen", "unpaid"};

  private final int rows;

  public CustomerRows(int rows) {
    this.rows = rows;
  }

  /** Keys that cut the table into equal regions. */
  public byte[][] splitKeys(int regions) {
    byte[][] keys = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      keys[i - 1] = key((long) rows * i / regions);
    }
    return keys;
  }

  /** A whole new row. */
  public Put load(long number) {
    Random random = new Random(number);
    byte[] payload = new byte[PAYLOAD_BYTES];
    random.nextBytes(payload);
    return new Put(key(number))
        .addColumn(FAMILY, EMAIL, email(number))
        .addColumn(FAMILY, CITY, city(random.nextInt(CITIES)))
        .addColumn(FAMILY, STATUS, bytes(STATES[random.nextInt(STATES.length)]))
        .addColumn(FAMILY, PAYLOAD, payload);
  }

  /** The customer has moved. */
  public Put move(long number) {
    return new Put(key(number)).addColumn(FAMILY, CITY, city(new Random(~number).nextInt(CITIES)));
  }

  /** The address of a row's customer, which nobody else has. */
  public static byte[] email(long number) {
    return bytes("user%09d@mail.example".formatted(number));
  }

  /** One of the states that a customer may be in. */
  public static byte[] status(int number) {
    return bytes(STATES[Math.floorMod(number, STATES.length)]);
  }

  public static byte[] city(int number) {
    return bytes("city%04d".formatted(number));
  }

  public static byte[] key(long number) {
    return bytes("c%015d".formatted(number));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
