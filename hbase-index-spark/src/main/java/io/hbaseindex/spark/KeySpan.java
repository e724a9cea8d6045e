/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.core.route.RowRange;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Row keys from {@code first}, included, to {@code end}, excluded; an empty end is no bound. Unlike
 * a {@link RowRange} it may be empty, and can be sent. Nobody writes the arrays.
 */
record KeySpan(byte[] first, byte[] end) implements Serializable {
  /** Every key. */
  static final KeySpan ALL = new KeySpan(new byte[0], new byte[0]);

  /** No key. */
  static final KeySpan NONE = new KeySpan(new byte[] {0}, new byte[] {0});

  /** This key alone. */
  static KeySpan of(byte[] key) {
    return new KeySpan(key, following(key));
  }

  /** This key and all higher ones. */
  static KeySpan atLeast(byte[] key) {
    return new KeySpan(key, new byte[0]);
  }

  /** All lower keys. */
  static KeySpan below(byte[] key) {
    return key.length == 0 ? NONE : new KeySpan(new byte[0], key);
  }

  /** The key right behind a key. */
  static byte[] following(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** The keys that begin with this. */
  static KeySpan startingWith(byte[] prefix) {
    byte[] end = Arrays.copyOf(prefix, prefix.length);
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xFF) {
      last--;
    }
    if (last < 0) {
      return atLeast(prefix);
    }
    end[last]++;
    return new KeySpan(prefix, Arrays.copyOf(end, last + 1));
  }

  boolean isEmpty() {
    return end.length > 0 && Arrays.compareUnsigned(first, end) >= 0;
  }

  KeySpan intersect(KeySpan other) {
    byte[] higher = Arrays.compareUnsigned(first, other.first) >= 0 ? first : other.first;
    boolean endsFirst =
        other.end.length == 0 || end.length > 0 && Arrays.compareUnsigned(end, other.end) <= 0;
    return new KeySpan(higher, endsFirst ? end : other.end);
  }

  /** Whether some key lies in both; this one is not empty. */
  boolean overlaps(RowRange range) {
    return new RowRange(first, end).overlaps(range);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeySpan that
        && Arrays.equals(first, that.first)
        && Arrays.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(first) + Arrays.hashCode(end);
  }

  @Override
  public String toString() {
    return "[" + Bytes.toStringBinary(first) + ", " + Bytes.toStringBinary(end) + ")";
  }
}
