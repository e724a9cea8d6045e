/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import java.util.StringJoiner;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A set of attributes of a tuple, named by their positions from 0 on: what a query gives, or a
 * combination that a matrix leaves out.
 *
 * @param bits bit a is set if attribute a is in the set
 */
@InterfaceAudience.Private
public record AttributeSet(int bits) {
  /** The most attributes a tuple can have: a matrix knows 2^16 combinations of them. */
  public static final int MAX_ATTRIBUTES = 16;

  /** The set without attributes. */
  public static final AttributeSet NONE = new AttributeSet(0);

  public AttributeSet {
    if (bits < 0 || bits >= 1 << MAX_ATTRIBUTES) {
      throw new IllegalArgumentException(
          "Cannot make an attribute set: bits was 0x%x; attributes are 0 to %d"
              .formatted(bits, MAX_ATTRIBUTES - 1));
    }
  }

  /** The set of the named attributes. */
  public static AttributeSet of(int... attributes) {
    int bits = 0;
    for (int attribute : attributes) {
      if (attribute < 0 || attribute >= MAX_ATTRIBUTES) {
        throw new IllegalArgumentException(
            "Cannot make an attribute set: attribute was %d; attributes are 0 to %d"
                .formatted(attribute, MAX_ATTRIBUTES - 1));
      }
      bits |= 1 << attribute;
    }
    return new AttributeSet(bits);
  }

  /** The attributes 0 to {@code count - 1}. */
  public static AttributeSet first(int count) {
    if (count < 0 || count > MAX_ATTRIBUTES) {
      throw new IllegalArgumentException(
          "Cannot make an attribute set: count was %d; it must lie between 0 and %d"
              .formatted(count, MAX_ATTRIBUTES));
    }
    return new AttributeSet((1 << count) - 1);
  }

  /** Whether the attribute is in this set. */
  public boolean contains(int attribute) {
    return (bits >>> attribute & 1) != 0;
  }

  /** Whether every attribute of {@code other} is in this set. */
  public boolean containsAll(AttributeSet other) {
    return (other.bits & ~bits) == 0;
  }

  /** How many attributes there are in this set. */
  public int size() {
    return Integer.bitCount(bits);
  }

  @Override
  public String toString() {
    StringJoiner names = new StringJoiner(", ", "{", "}");
    for (int rest = bits; rest != 0; rest &= rest - 1) {
      names.add(Integer.toString(Integer.numberOfTrailingZeros(rest)));
    }
    return names.toString();
  }
}
