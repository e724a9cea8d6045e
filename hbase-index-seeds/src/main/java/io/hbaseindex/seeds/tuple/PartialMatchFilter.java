/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.tuple;

import org.apache.yetus.audience.InterfaceAudience;

/** A tuple filter that can be asked with any of the attributes left open. */
@InterfaceAudience.Private
public interface PartialMatchFilter extends TupleFilter {
  /**
   * Whether a tuple with these values of the given attributes may be present; {@code false} proves
   * that none is.
   *
   * @param given the attributes that the query fixes
   * @param values one hash per attribute of the tuple; those of open attributes are ignored
   */
  boolean mightMatch(AttributeSet given, long[] values);

  @Override
  default boolean mightContain(long[] tuple) {
    return mightMatch(AttributeSet.first(attributes()), tuple);
  }
}
