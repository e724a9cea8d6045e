/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.simulation;

import io.hbaseindex.core.publish.BrokenPublishers;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.registry.BrokenRegistries;
import io.hbaseindex.core.registry.FilterRegistry;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a simulated cluster is made of: the deployed classes, unless a saboteur says otherwise.
 *
 * @param habits what the write path does otherwise than it should
 */
record SimParts(
    BrokenPublishers.Maker publishers, BrokenRegistries.Maker registries, Set<Habit> habits) {
  /** A way to get the write path wrong. */
  enum Habit {
    /** Takes ended postings back before it is known whether the batch succeeds. */
    DELETES_BEFORE_COMMIT,
    /** Takes the values that a write ends from what readers see. */
    READS_WHAT_IS_VISIBLE,
    /** Takes back what a batch inserted that has failed. */
    UNDOES_FAILED_BATCHES
  }

  static final SimParts DEPLOYED =
      new SimParts(ServerPublisher::new, FilterRegistry::new, EnumSet.noneOf(Habit.class));

  SimParts publishing(BrokenPublishers.Maker broken) {
    return new SimParts(broken, registries, habits);
  }

  SimParts holding(BrokenRegistries.Maker broken) {
    return new SimParts(publishers, broken, habits);
  }

  SimParts writing(Habit habit) {
    return new SimParts(publishers, registries, EnumSet.of(habit));
  }

  boolean has(Habit habit) {
    return habits.contains(habit);
  }
}
