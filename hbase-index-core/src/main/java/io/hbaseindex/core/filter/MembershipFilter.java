/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Answers whether an element may be in a set: it may say yes for an element that is absent, it
 * never says no for one that is present.
 *
 * <p>Elements are the 64-bit hashes of an {@link io.hbaseindex.core.hash.ElementHasher}; two
 * elements with the same hash are one element to a filter.
 */
@InterfaceAudience.Private
public interface MembershipFilter {
  /** Whether the element may be present; {@code false} proves that it is not. */
  boolean mightContain(long element);
}
