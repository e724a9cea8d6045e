/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.matrix;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A set of owner ids: the answer to a route.
 *
 * <p>A bitmap over the dense ids of a {@link RoutingMatrix}, so that AND and OR of conditions are
 * word-wise operations. Not safe for use by several threads at once.
 */
@InterfaceAudience.Private
public final class OwnerSet {
  private long[] words;

  /** An empty set. */
  public OwnerSet() {
    this(0);
  }

  /** An empty set with room for the ids below {@code owners}; higher ids make it grow. */
  OwnerSet(int owners) {
    this.words = new long[wordsFor(owners)];
  }

  /** Whether the owner is in the set. */
  public boolean contains(int owner) {
    int at = owner >>> 6;
    return at < words.length && (words[at] >>> owner & 1) != 0;
  }

  /** Puts an owner into the set. */
  void add(int owner) {
    int at = owner >>> 6;
    if (at >= words.length) {
      words = Arrays.copyOf(words, Math.max(at + 1, words.length + (words.length >> 1)));
    }
    words[at] |= 1L << owner;
  }

  /** Makes this the union of both sets. */
  public void addAll(OwnerSet other) {
    if (other.words.length > words.length) {
      words = Arrays.copyOf(words, other.words.length);
    }
    for (int at = 0; at < other.words.length; at++) {
      words[at] |= other.words[at];
    }
  }

  /** Makes this the intersection of both sets. */
  public void retainAll(OwnerSet other) {
    int common = Math.min(words.length, other.words.length);
    for (int at = 0; at < common; at++) {
      words[at] &= other.words[at];
    }
    Arrays.fill(words, common, words.length, 0);
  }

  /** Takes every owner out. */
  public void clear() {
    Arrays.fill(words, 0);
  }

  /** Whether no owner is in the set. */
  public boolean isEmpty() {
    for (long word : words) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  /** Number of owners in the set. */
  public int size() {
    int size = 0;
    for (long word : words) {
      size += Long.bitCount(word);
    }
    return size;
  }

  /** Calls back with each owner, ascending. */
  public void forEach(IntConsumer action) {
    for (int at = 0; at < words.length; at++) {
      for (long rest = words[at]; rest != 0; rest &= rest - 1) {
        action.accept(at << 6 | Long.numberOfTrailingZeros(rest));
      }
    }
  }

  /** The owners, ascending. */
  public int[] toArray() {
    int[] owners = new int[size()];
    int next = 0;
    for (int at = 0; at < words.length; at++) {
      for (long rest = words[at]; rest != 0; rest &= rest - 1) {
        owners[next++] = at << 6 | Long.numberOfTrailingZeros(rest);
      }
    }
    return owners;
  }

  private static int wordsFor(int owners) {
    return (owners + Long.SIZE - 1) >>> 6;
  }

  /** Two sets are equal when they hold the same owners, whatever room they have. */
  @Override
  public boolean equals(Object other) {
    return other instanceof OwnerSet set && Arrays.equals(toArray(), set.toArray());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(toArray());
  }

  @Override
  public String toString() {
    return Arrays.toString(toArray());
  }
}
