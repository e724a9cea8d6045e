/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import java.util.Arrays;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A range of row keys. The arrays are not changed.
 *
 * @param first the lowest key
 * @param end the first key that is too high; empty for none
 */
@InterfaceAudience.Private
public record RowKeys(byte[] first, byte[] end) {
  /** No key is too low or too high. */
  static final RowKeys ALL = new RowKeys(new byte[0], new byte[0]);

  /** Whether no key is too low or too high. */
  public boolean areAll() {
    return first.length == 0 && end.length == 0;
  }

  static RowKeys only(byte[] key) {
    return new RowKeys(key, next(key));
  }

  static RowKeys atLeast(byte[] key) {
    return new RowKeys(key, new byte[0]);
  }

  static RowKeys above(byte[] key) {
    return atLeast(next(key));
  }

  static RowKeys atMost(byte[] key) {
    return below(next(key));
  }

  /**
   * Keys lower than this one.
   *
   * @throws IllegalArgumentException if there can be none
   */
  static RowKeys below(byte[] key) {
    if (key.length == 0) {
      throw new IllegalArgumentException("no key of a row is lower than nothing; name a key");
    }
    return new RowKeys(new byte[0], key);
  }

  static RowKeys startingWith(byte[] prefix) {
    return new RowKeys(prefix, ClientUtil.calculateTheClosestNextRowKeyForPrefix(prefix));
  }

  /** Keys that are in both. */
  RowKeys and(RowKeys other) {
    byte[] higher = Arrays.compareUnsigned(first, other.first) >= 0 ? first : other.first;
    boolean endsHere =
        other.end.length == 0 || end.length > 0 && Arrays.compareUnsigned(end, other.end) <= 0;
    return new RowKeys(higher, endsHere ? end : other.end);
  }

  /** The key that follows directly. */
  private static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
