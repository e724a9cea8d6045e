/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Answers whether a tuple may be in a set of tuples: it may say yes for one that is absent, it
 * never says no for one that is present. Tuples cannot be taken back.
 *
 * <p>A tuple is an array of one 64-bit hash per attribute, each from an {@link
 * io.hbaseindex.core.hash.ElementHasher} whose space is the attribute, so that equal values of two
 * attributes are unrelated. Two tuples with equal hashes are one tuple.
 *
 * <p>One writer at a time; readers never wait and see every insert that has returned.
 */
@InterfaceAudience.Private
public interface TupleFilter {
  /** Number of attributes of each tuple. */
  int attributes();

  /** Adds the tuple. Once this has returned, {@link #mightContain} is true for it. */
  void insert(long[] tuple);

  /** Whether the tuple may be present; {@code false} proves that it is not. */
  boolean mightContain(long[] tuple);

  /** Bits of the filter's vectors and matrices, fixed when it was created. */
  long memoryBits();
}
