/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.plan;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.region.context.Frequencies;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many postings the parts of a plan have, as far as the region's filter knows. For one scan.
 *
 * <p>A part that looks for whole values, or for all postings behind leading ones, is known exactly
 * or too high. Of a range only what stands before it is known, which is too high again; a range of
 * the first column is not known at all.
 */
@InterfaceAudience.Private
public final class PlanEstimates {
  /** The filter is asked for each slice: beyond so many that takes too long. */
  private static final int MAX_SLICES = 1_000;

  private final Frequencies frequencies;
  private final LongSupplier countRows;

  /** Negative until somebody asks: most plans leave no choice, and nobody does. */
  private long rows = -1;

  /** What the filter has said: plans are compared with each other, part by part. */
  private final Map<AccessPlan, OptionalLong> told = new IdentityHashMap<>();

  /**
   * @param countRows tells how many rows the region has, at most; not below zero
   */
  public PlanEstimates(Frequencies frequencies, LongSupplier countRows) {
    this.frequencies = frequencies;
    this.countRows = countRows;
  }

  /** Where nothing is known. */
  public static PlanEstimates none() {
    return new PlanEstimates(Frequencies.UNKNOWN, () -> 0);
  }

  /** How many rows the region has, at most. */
  public long rows() {
    if (rows < 0) {
      rows = countRows.getAsLong();
    }
    return rows;
  }

  /** How many live postings a plan has to go over at most; empty if nobody knows. */
  public OptionalLong of(AccessPlan plan) {
    OptionalLong before = told.get(plan);
    if (before != null) {
      return before;
    }
    OptionalLong asked = ask(plan);
    told.put(plan, asked);
    return asked;
  }

  private OptionalLong ask(AccessPlan plan) {
    if (plan instanceof AccessPlan.Lookup lookup) {
      return of(lookup.index(), lookup.values());
    }
    if (plan instanceof AccessPlan.Sweep sweep) {
      return of(sweep);
    }
    if (plan instanceof AccessPlan.Union union) {
      return sum(union.members().stream().map(this::of).toList());
    }
    if (plan instanceof AccessPlan.Intersection intersection) {
      return intersection.members().stream()
          .map(this::of)
          .flatMapToLong(OptionalLong::stream)
          .min();
    }
    return OptionalLong.of(0);
  }

  private OptionalLong of(AccessPlan.Sweep sweep) {
    boolean known =
        sweep.slices().size() <= MAX_SLICES
            && sweep.slices().stream().noneMatch(slice -> slice.leading().isEmpty());
    if (!known) {
      return OptionalLong.empty();
    }
    // Ranges behind the same values are counted once: each of them is a part of what is known.
    return sum(
        sweep.slices().stream()
            .map(AccessPlan.Slice::leading)
            .distinct()
            .map(leading -> of(sweep.index(), leading))
            .toList());
  }

  private OptionalLong of(IndexDefinition index, List<byte[]> leading) {
    for (RouteSet set : index.routes()) {
      if (set.isLeading() && Integer.bitCount(set.mask()) == leading.size()) {
        return frequencies.of(index, set, leading);
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong sum(List<OptionalLong> parts) {
    return parts.stream().allMatch(OptionalLong::isPresent)
        ? OptionalLong.of(parts.stream().mapToLong(OptionalLong::getAsLong).sum())
        : OptionalLong.empty();
  }
}
