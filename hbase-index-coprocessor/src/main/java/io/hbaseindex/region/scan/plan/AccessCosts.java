/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What it costs to find the rows that several accesses have in common, by how many postings each
 * has. The unit is the step from one posting to the next.
 *
 * <p>The rarest access leads. Each other one is sought for each of its candidates, and leaves so
 * many of them to be read as have its value. Values of different columns are taken to be
 * independent of each other, and an access of which nothing is known to have a quarter of all rows:
 * a wrong guess costs time.
 */
@InterfaceAudience.Private
public final class AccessCosts {
  /** Opening a scanner over postings, and its first seek. */
  private static final double OPEN = 30;

  /** Seeking a posting further on. */
  private static final double SEEK = 6;

  /** How many postings are stepped over before one is sought. */
  private static final double STEPS_BEFORE_SEEKING = 3;

  /** Moving the scanner of the scan to a row, reading it and asking its filter. */
  private static final double ROW = 12;

  /** Making a row of what a posting carries. */
  private static final double CARRIED = 2;

  /** Collecting and sorting a posting of a sweep. */
  private static final double SWEPT = 2;

  /** Sweeps of more are likely to find no room. */
  private static final double MANY_SWEPT = 16_384;

  private static final double SHARE_OF_UNKNOWN = 0.25;

  private final PlanEstimates estimates;
  private final Predicate<AccessPlan> covered;

  /**
   * @param covered whether rows can be made of the postings of a plan, and need not be read
   */
  public AccessCosts(PlanEstimates estimates, Predicate<AccessPlan> covered) {
    this.estimates = estimates;
    this.covered = covered;
  }

  /** Where nothing is known. */
  public static AccessCosts unknown() {
    return new AccessCosts(PlanEstimates.none(), plan -> false);
  }

  /** Whether anything is known of one of these. */
  boolean knowsAny(List<AccessPlan> accesses) {
    return accesses.stream().anyMatch(access -> estimates.of(access).isPresent());
  }

  /**
   * In this order accesses are combined: the rarest first, those of which nothing is known last.
   */
  Comparator<AccessPlan> rarestFirst() {
    return Comparator.comparingLong(access -> estimates.of(access).orElse(Long.MAX_VALUE));
  }

  /**
   * What it costs to find all rows by the intersection of these.
   *
   * @param accesses one or more, the rarest first
   */
  double of(List<AccessPlan> accesses) {
    double first = guess(accesses.get(0));
    double rows = Math.max(1, Math.max(first, estimates.rows()));
    double candidates = first;
    double cost = 0;
    for (AccessPlan access : accesses) {
      double postings = guess(access);
      boolean leads = access == accesses.get(0);
      cost += OPEN * access.indexes().size();
      if (access instanceof AccessPlan.Sweep) {
        cost += postings * (postings > MANY_SWEPT ? ROW : SWEPT);
      } else {
        cost += leads ? postings : leaps(first, postings);
      }
      candidates *= leads ? 1 : Math.min(1, postings / rows);
    }
    return cost + candidates * (covered.test(intersection(accesses)) ? CARRIED : ROW);
  }

  /** Going through one list of postings by the candidates of a shorter one. */
  private static double leaps(double candidates, double postings) {
    double distance = candidates == 0 ? 0 : postings / candidates;
    return distance <= STEPS_BEFORE_SEEKING ? postings : candidates * (STEPS_BEFORE_SEEKING + SEEK);
  }

  private double guess(AccessPlan access) {
    OptionalLong known = estimates.of(access);
    return known.isPresent() ? known.getAsLong() : SHARE_OF_UNKNOWN * estimates.rows();
  }

  static AccessPlan intersection(List<AccessPlan> accesses) {
    return accesses.size() == 1
        ? accesses.get(0)
        : new AccessPlan.Intersection(new ArrayList<>(accesses));
  }
}
