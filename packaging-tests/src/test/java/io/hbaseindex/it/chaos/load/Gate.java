/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Stops all clients between two of their steps, for as long as somebody wants the table at rest.
 */
public final class Gate {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

  /** A piece of work that may fail. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  /** Runs the work, together with that of others. */
  public void share(Work work) throws Exception {
    lock.readLock().lock();
    try {
      work.run();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Runs the work while no client is in the middle of a step. */
  public void atRest(Work work) throws Exception {
    lock.writeLock().lock();
    try {
      work.run();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
