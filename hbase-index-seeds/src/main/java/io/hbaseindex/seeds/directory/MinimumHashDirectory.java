/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import io.hbaseindex.core.filter.BloomShape;
import io.hbaseindex.core.hash.ElementHasher;
import java.util.Arrays;
import java.util.Objects;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A map from keys to values that answers exactly, and that answers most searches for absent keys
 * without looking at any key.
 *
 * <p>Each key is filed under the smallest of its k positions in a Bloom filter. A search asks the
 * filter first; what passes looks at the keys filed under its own smallest position, and at no
 * others. A false positive so costs a handful of comparisons instead of a search of all keys.
 *
 * <p>The smallest of k positions lies near the start more often than not: position x · bits is an
 * entry's address with density k (1 - x)^(k-1). Entries are therefore longer than those of a hash
 * table of the same size, by a factor of k² / (2k - 1) on average, the price for using the filter's
 * positions as addresses.
 *
 * <p>Memory: two bits of filter and 32 bits of directory per position, 32 bits and two references
 * per key, and the keys. Keys cannot be removed: a filter's bits are shared. Used by one thread at
 * a time.
 */
@InterfaceAudience.Private
public final class MinimumHashDirectory<V> {
  /** Addresses index an array. */
  public static final long MAX_BITS = 1L << 30;

  private static final int NONE = -1;
  private static final int FIRST_LENGTH = 16;

  private final MinimumHashFilter filter;
  private final ElementHasher hasher;
  private final int capacity;

  /** Per position, the newest key filed there; per key, the one filed there before it. */
  private final int[] newest;

  private int[] before = new int[FIRST_LENGTH];
  private byte[][] keys = new byte[FIRST_LENGTH][];
  private Object[] values = new Object[FIRST_LENGTH];
  private int size;

  /**
   * @param shape bits of the filter, which is also the number of addresses, and positions per key
   * @param capacity most keys the directory takes
   * @param hasher hashes the keys
   */
  public MinimumHashDirectory(BloomShape shape, int capacity, ElementHasher hasher) {
    if (shape.bits() > MAX_BITS) {
      throw new IllegalArgumentException(
          "Cannot create a directory: its filter has %d bits; it may have %d"
              .formatted(shape.bits(), MAX_BITS));
    }
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "Cannot create a directory: its capacity was %d; it must be at least 1"
              .formatted(capacity));
    }
    this.filter = new MinimumHashFilter(shape);
    this.hasher = hasher;
    this.capacity = capacity;
    this.newest = new int[(int) shape.bits()];
    Arrays.fill(newest, NONE);
  }

  /**
   * Sets the value of a key.
   *
   * @throws IllegalStateException if the key is new and the directory is full
   */
  public void put(byte[] key, V value) {
    Objects.requireNonNull(value, "value");
    long element = hasher.hash(key);
    long address = filter.addressOf(element);
    int at = address >= 0 ? find(key, (int) address) : NONE;
    if (at == NONE) {
      at = add(key, element);
    }
    values[at] = value;
  }

  /** Searches for a key. */
  @SuppressWarnings("unchecked") // only put writes values, and only of type V
  public SearchResult<V> search(byte[] key) {
    long address = filter.addressOf(hasher.hash(key));
    if (address == MinimumHashFilter.BIT_CLEAR) {
      return SearchResult.absent(SearchResult.Outcome.FILTERED, 0);
    }
    if (address == MinimumHashFilter.NO_SUCH_MINIMUM) {
      return SearchResult.absent(SearchResult.Outcome.NO_ENTRY, 0);
    }
    int comparisons = 0;
    for (int at = newest[(int) address]; at != NONE; at = before[at]) {
      comparisons++;
      if (Arrays.equals(keys[at], key)) {
        return SearchResult.found((V) values[at], comparisons);
      }
    }
    return SearchResult.absent(SearchResult.Outcome.NOT_AMONG_ENTRY, comparisons);
  }

  /** Number of keys. */
  public int size() {
    return size;
  }

  /** Number of addresses with at least one key. */
  public long entries() {
    return filter.minima();
  }

  private int find(byte[] key, int address) {
    int at = newest[address];
    while (at != NONE && !Arrays.equals(keys[at], key)) {
      at = before[at];
    }
    return at;
  }

  private int add(byte[] key, long element) {
    if (size == capacity) {
      throw new IllegalStateException(
          "Cannot add a key: the directory holds %d of %d; create a larger one"
              .formatted(size, capacity));
    }
    if (size == keys.length) {
      int length = (int) Math.min(capacity, 2L * size);
      before = Arrays.copyOf(before, length);
      keys = Arrays.copyOf(keys, length);
      values = Arrays.copyOf(values, length);
    }
    int address = (int) filter.insertAndAddress(element);
    keys[size] = key.clone();
    before[size] = newest[address];
    newest[address] = size;
    return size++;
  }
}
