/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows and values of one run: few enough to collide all the time, odd enough to hurt a codec.
 *
 * <p>Values include the empty one, zero bytes, prefixes of each other, and two that differ only
 * beyond the length up to which values are kept whole in index keys.
 */
final class Universe {

  private static final int PLAIN_ROWS = 240;
  private static final int LONG_VALUE = 700;

  private final List<byte[]> rows;
  private final List<byte[]> texts;

  /** A few hundred rows, some of them with zero bytes at their end. */
  static Universe large() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < PLAIN_ROWS; i++) {
      rows.add(bytes(String.format(Locale.ROOT, "k%03d", i)));
    }
    for (int i = 0; i < PLAIN_ROWS; i += 12) {
      byte[] plain = rows.get(i);
      rows.add(Bytes.add(plain, new byte[] {0}));
      rows.add(Bytes.add(plain, new byte[] {0, 0}));
      rows.add(Bytes.add(plain, new byte[] {(byte) 0xff}));
    }
    rows.add(new byte[] {0});
    rows.add(new byte[] {(byte) 0xff, (byte) 0xff});
    rows.sort(Bytes.BYTES_COMPARATOR);
    return new Universe(rows);
  }

  private Universe(List<byte[]> rows) {
    this.rows = List.copyOf(rows);
    texts = new ArrayList<>();
    for (String text : List.of("", "a", "ab", "abc", "b", "ba", "c")) {
      texts.add(bytes(text));
    }
    texts.add(new byte[] {0});
    texts.add(new byte[] {0, 0});
    texts.add(new byte[] {0, (byte) 0xff});
    texts.add(new byte[] {'a', 0});
    texts.add(new byte[] {'a', 0, 'b'});
    texts.add(new byte[] {(byte) 0xff});
    texts.add(new byte[] {(byte) 0xff, (byte) 0xff});
    texts.add(longValue((byte) 1));
    texts.add(longValue((byte) 2));
  }

  private static byte[] longValue(byte last) {
    byte[] value = new byte[LONG_VALUE];
    Arrays.fill(value, (byte) 'l');
    value[LONG_VALUE - 1] = last;
    return value;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  List<byte[]> rows() {
    return rows;
  }

  byte[] row(SplittableRandom random) {
    return rows.get(random.nextInt(rows.size()));
  }

  /** A value to write into, or to ask for in, the column. */
  byte[] value(Column column, SplittableRandom random) {
    return switch (column.content()) {
      case TEXT -> texts.get(random.nextInt(texts.size()));
      case COUNTER -> Bytes.toBytes(random.nextLong(-2, 6));
      case APPENDED -> bytes("ab".substring(0, random.nextInt(3)));
    };
  }

  /** Every value that can be asked for in the column; of appended ones the short ones. */
  List<byte[]> values(Column column) {
    return switch (column.content()) {
      case TEXT -> texts;
      case COUNTER -> {
        List<byte[]> numbers = new ArrayList<>();
        for (long number = -4; number < 9; number++) {
          numbers.add(Bytes.toBytes(number));
        }
        yield numbers;
      }
      case APPENDED -> List.of(bytes(""), bytes("a"), bytes("b"), bytes("ab"), bytes("ba"));
    };
  }
}
