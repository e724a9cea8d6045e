/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** Keeps every write to its table waiting, with the handler that it came to, until released. */
public final class HeldWrites implements RegionCoprocessor, RegionObserver {
  private static final AtomicInteger HELD = new AtomicInteger();
  private static volatile CountDownLatch released = new CountDownLatch(0);

  static void hold() {
    released = new CountDownLatch(1);
  }

  static void release() {
    released.countDown();
  }

  /** How many handlers are held. */
  static int held() {
    return HELD.get();
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    HELD.incrementAndGet();
    try {
      if (!released.await(5, TimeUnit.MINUTES)) {
        throw new IOException("Nobody has released the writes");
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException("Interrupted");
    } finally {
      HELD.decrementAndGet();
    }
  }
}
