package io.hbaseindex.region.lifecycle;

import java.util.HashSet;
import java.util.Set;

/**
 * The bulk loads whose files are being put in place at this moment; no index may become ready
 * meanwhile.
 *
 * <p>All hooks of one load run on one thread, so a thread stands for its load. HBase calls the hook
 * at the end of a load whatever became of it, unless another coprocessor's hook fails before ours;
 * then the thread's next load takes the place of the one whose end was not heard, and until then
 * the indexes wait, as their state says.
 */
final class BulkLoads {

  private final Set<Thread> committing = new HashSet<>();

  synchronized void committing() {
    committing.add(Thread.currentThread());
  }

  synchronized void ended() {
    committing.remove(Thread.currentThread());
  }

  synchronized boolean areCommitting() {
    return !committing.isEmpty();
  }
}
