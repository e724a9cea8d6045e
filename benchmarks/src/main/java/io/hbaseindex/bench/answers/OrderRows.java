/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.answers;

import io.hbaseindex.client.query.Column;
import io.hbaseindex.core.definition.ValueType;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Orders of a shop: one in five is open, amounts are random, and all are of one month. */
final class OrderRows {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final Column STATUS = Column.of("f", "status");
  static final Column AMOUNT = Column.of("f", "amount").as(ValueType.LONG);
  static final String OPEN = "open";
  static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");
  static final Instant APRIL = Instant.parse("2026-04-01T00:00:00Z");

  private static final String[] STATES = {OPEN, "paid", "shipped", "returned", "closed"};
  private static final String TEXT =
      "Please leave it with the neighbours, second door on the left; they are at home on Mondays.";

  private final long rows;

  OrderRows(long rows) {
    this.rows = rows;
  }

  long open() {
    return (rows + STATES.length - 1) / STATES.length;
  }

  /** The first open order from a number on. */
  long openFrom(long number) {
    return (number + STATES.length - 1) / STATES.length * STATES.length;
  }

  /** One order, as it was entered some time in March. */
  Put put(long number) {
    SplittableRandom random = new SplittableRandom(number);
    long time =
        MARCH.toEpochMilli() + number * (APRIL.toEpochMilli() - MARCH.toEpochMilli()) / rows;
    Put put = new Put(key(number)).setDurability(Durability.SKIP_WAL);
    add(put, "status", time, text(STATES[(int) (number % STATES.length)]));
    add(put, "amount", time, Bytes.toBytes(random.nextLong(1L << 40)));
    add(put, "customer", time, text("customer-%07d".formatted(random.nextInt(100_000))));
    add(put, "city", time, text("city-%04d".formatted(random.nextInt(1_000))));
    add(put, "remark", time, text(TEXT.substring(random.nextInt(TEXT.length() / 2))));
    return put;
  }

  private static void add(Put put, String column, long time, byte[] value) {
    put.addColumn(FAMILY, Bytes.toBytes(column), time, value);
  }

  byte[][] splitKeys(int regions) {
    byte[][] keys = new byte[regions - 1][];
    for (int region = 1; region < regions; region++) {
      keys[region - 1] = key(rows * region / regions);
    }
    return keys;
  }

  private static byte[] key(long number) {
    return text("order-%09d".formatted(number));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
