/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.util.HashSet;
import java.util.Set;

/**
 * The bulk loads whose files are being put in place at this moment. No index may become ready
 * meanwhile.
 *
 * <p>All hooks of one load run on one thread, so a thread stands for its load. HBase calls the hook
 * at the end of a load whatever became of it, unless another coprocessor's hook fails before ours;
 * then the thread's next load takes the place of the one whose end was not heard, and until then
 * the indexes wait, as their state says.
 *
 * <p>That a load begins and that builds in progress end is one step, and so is the look for loads
 * and the beginning of a build. Hence a build that begins before a load is ended by it, and one
 * that would begin after it does not: none comes to its end while files are put in place that it
 * has not read. What the steps do must not wait, since loads of all threads pass here.
 */
final class BulkLoads {

  private final Set<Thread> committing = new HashSet<>();

  /** Notes that this thread's load begins, and ends all builds by {@code endBuilds}. */
  synchronized void committing(Runnable endBuilds) {
    committing.add(Thread.currentThread());
    endBuilds.run();
  }

  synchronized void ended() {
    committing.remove(Thread.currentThread());
  }

  /** Begins a build, unless there is a load, whose end will. */
  synchronized void unlessCommitting(Runnable beginBuild) {
    if (committing.isEmpty()) {
      beginBuild.run();
    }
  }
}
