/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.filter;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How often an element occurred, with what is known about the error of that number.
 *
 * <p>Three statements hold, the second and third over the random choice of the hash seed:
 *
 * <ul>
 *   <li>{@code count} is at least the number of recorded occurrences within the span asked for;
 *   <li>with probability of at least {@code 1 - risk} it exceeds the occurrences within {@link
 *       #covered} by no more than {@link #excessBound};
 *   <li>with probability of at least {@code 1 - inexactProbability} it exceeds them not at all.
 * </ul>
 *
 * <p>Probabilities are those before the answer is known: a count of zero is exact, whatever they
 * say.
 *
 * @param count the estimate
 * @param covered the span asked for, widened to the whole of each window that was counted
 * @param excessBound how far the estimate may lie above the truth
 * @param risk probability with which {@code excessBound} may be exceeded
 * @param inexactProbability upper bound on the probability that there is any excess
 */
@InterfaceAudience.Private
public record CountEstimate(
    long count, TimeSpan covered, long excessBound, double risk, double inexactProbability) {

  /** The smallest number of occurrences that is consistent with the bound. */
  public long atLeast() {
    return count - excessBound;
  }
}
