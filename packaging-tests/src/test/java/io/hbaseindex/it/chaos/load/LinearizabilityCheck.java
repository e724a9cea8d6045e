/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Looks for an order of the operations on one row in which each takes effect at one moment between
 * its start and its end, and in which every lookup by a value finds the row exactly if the row has
 * that value. If there is none, something was missed or invented.
 *
 * <p>The search is the one of Wing and Gong with the memory of Lowe: an operation may come next if
 * none that has not come yet ended before it started; what has come and the register's value
 * together are tried once. A lookup that agrees with the register changes nothing, so it is taken
 * as soon as it may come, and only writes are tried in different orders. A write whose end is
 * unknown may come at any time after its start, or never.
 */
public final class LinearizabilityCheck {
  private record Tried(BitSet come, String value) {}

  private final List<Operation> operations;
  private final Set<Tried> tried = new HashSet<>();

  private LinearizabilityCheck(List<Operation> operations) {
    this.operations =
        operations.stream().sorted(Comparator.comparingLong(Operation::start)).toList();
  }

  /** Whether there is such an order; the row begins without a value. */
  public static boolean holds(List<Operation> operations) {
    LinearizabilityCheck check = new LinearizabilityCheck(operations);
    return check.search(new BitSet(), null);
  }

  private boolean search(BitSet before, String value) {
    BitSet come = (BitSet) before.clone();
    takeLookups(come, value);
    if (isComplete(come)) {
      return true;
    }
    if (!tried.add(new Tried(come, value))) {
      return false;
    }
    long limit = earliestEnd(come);
    for (int i = come.nextClearBit(0); i < operations.size(); i = come.nextClearBit(i + 1)) {
      Operation next = operations.get(i);
      if (next.start() > limit) {
        return false;
      }
      if (next.f().equals(Operation.WRITE)) {
        BitSet after = (BitSet) come.clone();
        after.set(i);
        if (search(after, next.value())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Takes every lookup that may come next and agrees, until there is none. */
  private void takeLookups(BitSet come, String value) {
    boolean taken = true;
    while (taken) {
      taken = false;
      long limit = earliestEnd(come);
      for (int i = come.nextClearBit(0); i < operations.size(); i = come.nextClearBit(i + 1)) {
        Operation next = operations.get(i);
        if (next.start() > limit) {
          break;
        }
        if (next.f().equals(Operation.LOOKUP)
            && next.result().equals("found") == Objects.equals(next.value(), value)) {
          come.set(i);
          taken = true;
        }
      }
    }
  }

  /** Nothing that started after this can come next. */
  private long earliestEnd(BitSet come) {
    long earliest = Long.MAX_VALUE;
    for (int i = come.nextClearBit(0); i < operations.size(); i = come.nextClearBit(i + 1)) {
      Operation operation = operations.get(i);
      if (operation.start() > earliest) {
        break;
      }
      if (!operation.isUnknown()) {
        earliest = Math.min(earliest, operation.end());
      }
    }
    return earliest;
  }

  private boolean isComplete(BitSet come) {
    for (int i = come.nextClearBit(0); i < operations.size(); i = come.nextClearBit(i + 1)) {
      if (!operations.get(i).isUnknown()) {
        return false;
      }
    }
    return true;
  }
}
