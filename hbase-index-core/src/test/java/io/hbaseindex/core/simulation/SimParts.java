/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.matrix.MatrixBudget;
import io.hbaseindex.core.publish.BrokenPublishers;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.registry.BrokenRegistries;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.core.time.Moment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a simulated cluster is made of: the deployed classes, unless a saboteur says otherwise.
 *
 * @param habits what the write path does otherwise than it should
 */
record SimParts(
    BrokenPublishers.Maker publishers,
    BrokenRegistries.Maker registries,
    BrokenRegistries.Maker holders,
    boolean sharded,
    Set<Habit> habits) {
  /** A way to get the write path wrong. */
  enum Habit {
    /** Takes ended postings back before it is known whether the batch succeeds. */
    DELETES_BEFORE_COMMIT,
    /** Takes the values that a write ends from what readers see. */
    READS_WHAT_IS_VISIBLE,
    /** Takes back what a batch inserted that has failed. */
    UNDOES_FAILED_BATCHES,
    /** Sends the elements of each shard to the holder of the next one. */
    MISTAKES_SHARDS,
    /** Does not wait for the holder with the number 0. */
    WAITS_FOR_OTHER_SHARDS_ONLY,
    /** Does not wait for the shards of values that a row has already. */
    FORGETS_WHAT_IS_KEPT,
    /** Inserts the whole combination of a posting's values, and none of its smaller sets. */
    INSERTS_NO_SMALLER_SETS,
    /** Takes the whole combination of a posting's values back, and none of its smaller sets. */
    DELETES_NO_SMALLER_SETS,
    /** Takes a smaller set of a posting back twice. */
    DELETES_SMALLER_SETS_TWICE,
    /** Keeps a set that lacks the first column of its index. */
    KEEPS_A_SET_WITHOUT_THE_FIRST_COLUMN,
    /** Takes the beginning of a long value for a value that ends there. */
    ENDS_VALUES_WHERE_IT_CUTS_THEM,
    /** Widens bounds when a write is acknowledged. */
    WIDENS_BOUNDS_TOO_LATE
  }

  static final SimParts DEPLOYED =
      new SimParts(
          ServerPublisher::new,
          FilterRegistry::new,
          SimParts::holder,
          false,
          EnumSet.noneOf(Habit.class));

  /** The same, with filters that are cut into shards, and holders that come and go. */
  static final SimParts SHARDED =
      new SimParts(
          ServerPublisher::new,
          FilterRegistry::new,
          SimParts::holder,
          true,
          EnumSet.noneOf(Habit.class));

  private static FilterRegistry holder(
      long holder,
      MachineClock clock,
      LeaseTerms terms,
      RegistryLimits limits,
      Predicate<String> online,
      Predicate<Moment> active) {
    return FilterRegistry.ofHolder(
        holder, clock, terms, limits, new MatrixBudget(limits.bytes()), online, active);
  }

  SimParts publishing(BrokenPublishers.Maker broken) {
    return new SimParts(broken, registries, holders, sharded, habits);
  }

  SimParts holding(BrokenRegistries.Maker broken) {
    return new SimParts(publishers, broken, broken, sharded, habits);
  }

  SimParts writing(Habit habit) {
    return new SimParts(publishers, registries, holders, sharded, EnumSet.of(habit));
  }

  boolean has(Habit habit) {
    return habits.contains(habit);
  }
}
