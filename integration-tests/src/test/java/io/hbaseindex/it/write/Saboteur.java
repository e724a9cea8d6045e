/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.write;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Another coprocessor of the table that misbehaves, on rows it was told of. Loaded after the index
 * observer, its hooks run after those of the index.
 */
public class Saboteur implements RegionCoprocessor, RegionObserver {
  /** What to do to the batches that hold a row, at some hook. */
  enum Hook {
    PRE_BATCH,
    POST_BATCH,
    INDISPENSABLY
  }

  private final Map<String, Consumer<Mutation>> orders = new ConcurrentHashMap<>();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  /** Does something to the next batch of a row. */
  void once(Hook hook, String row, Consumer<Mutation> action) {
    orders.put(hook + "/" + row, action);
  }

  /** Fails the next batch of a row. */
  void failOnce(Hook hook, String row) {
    once(
        hook,
        row,
        mutation -> {
          throw new Sabotage();
        });
  }

  /** Holds the next batch of a row until {@code release}, and says when it is there. */
  void holdOnce(Hook hook, String row, CountDownLatch arrived, CountDownLatch release) {
    once(
        hook,
        row,
        mutation -> {
          arrived.countDown();
          try {
            if (!release.await(120, TimeUnit.SECONDS)) {
              throw new IllegalStateException("Nobody released the batch of row " + row);
            }
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static final class Sabotage extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private void obey(Hook hook, MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      Consumer<Mutation> order = orders.remove(hook + "/" + Bytes.toString(mutation.getRow()));
      if (order != null) {
        try {
          order.accept(mutation);
        } catch (Sabotage e) {
          throw new DoNotRetryIOException("sabotage");
        }
      }
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    obey(Hook.PRE_BATCH, batch);
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    obey(Hook.POST_BATCH, batch);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> ctx,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    obey(Hook.INDISPENSABLY, batch);
  }
}
