/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells how often an element occurred within a span of time: never too few times, sometimes too
 * many, and by how much at most.
 */
@InterfaceAudience.Private
public interface TimeCounter {
  /**
   * Counts the occurrences of an element.
   *
   * @param element the element's bytes
   * @param span the times of interest; the answer may cover a wider span, and says which
   * @param risk the probability, above 0 and below 1, with which the answer may exceed the truth by
   *     more than its own {@link CountEstimate#excessBound}
   * @throws IOException if a part of the history cannot be read or is damaged; no part is ever left
   *     out silently
   */
  CountEstimate count(byte[] element, TimeSpan span, double risk) throws IOException;
}
