/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Threads that use one object whose methods are monitors: all that matters is in which order their
 * calls come. Every order is tried, each on an object of its own; the calls of one thread stay in
 * theirs. Nothing runs at the same time, so a failure comes back each time.
 *
 * @param <W> the object, with whatever the calls need
 */
public final class Schedules<W> {
  private final Supplier<W> worlds;
  private final List<List<Call<W>>> threads = new ArrayList<>();
  private long tried;

  /** One call of a thread. */
  public record Call<W>(String name, Consumer<W> action) {}

  /**
   * @param worlds makes the object, the same one each time
   */
  public Schedules(Supplier<W> worlds) {
    this.worlds = worlds;
  }

  /** Adds a thread that makes these calls, one after the other. */
  @SafeVarargs
  public final Schedules<W> thread(Call<W>... calls) {
    threads.add(List.of(calls));
    return this;
  }

  /**
   * Tries all orders.
   *
   * @param check what must hold after each call; throws an AssertionError if it does not
   * @return how many orders there were
   * @throws AssertionError which names the calls in their order, if something does not hold
   */
  public long tryAll(Consumer<W> check) {
    extend(new ArrayList<>(), new int[threads.size()], check);
    return tried;
  }

  private void extend(List<Call<W>> order, int[] made, Consumer<W> check) {
    boolean complete = true;
    for (int thread = 0; thread < made.length; thread++) {
      if (made[thread] < threads.get(thread).size()) {
        complete = false;
        order.add(threads.get(thread).get(made[thread]));
        made[thread]++;
        extend(order, made, check);
        made[thread]--;
        order.remove(order.size() - 1);
      }
    }
    if (complete) {
      tried++;
      run(order, check);
    }
  }

  private void run(List<Call<W>> order, Consumer<W> check) {
    W world = worlds.get();
    for (int made = 0; made < order.size(); made++) {
      order.get(made).action().accept(world);
      try {
        check.accept(world);
      } catch (AssertionError e) {
        List<String> names = order.subList(0, made + 1).stream().map(Call::name).toList();
        throw new AssertionError("After " + names + ": " + e.getMessage(), e);
      }
    }
  }
}
