/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Bounds how long a future may take.
 *
 * <p>{@link CompletableFuture#orTimeout} runs whatever depends on a future that has taken too long
 * on the one thread that counts the timeouts of the whole JVM. Users' code may depend on ours, and
 * would hold up all timeouts while it runs; so others take over from that thread at once.
 */
@InterfaceAudience.Private
public final class BoundedWait {
  private BoundedWait() {}

  /** The same, or a {@link TimeoutException} if that takes longer. */
  public static <T> CompletableFuture<T> of(CompletableFuture<T> future, long millis) {
    return of(future, millis, error -> {});
  }

  /**
   * As above.
   *
   * @param ended is told of the end, with the error or null, before anybody else; on the thread
   *     that counts timeouts, too, so it must be quick
   */
  static <T> CompletableFuture<T> of(
      CompletableFuture<T> future, long millis, Consumer<Throwable> ended) {
    CompletableFuture<T> bounded = new CompletableFuture<>();
    future
        .copy()
        .orTimeout(millis, TimeUnit.MILLISECONDS)
        .whenComplete(
            (value, error) -> {
              ended.accept(error);
              if (error instanceof TimeoutException) {
                bounded.defaultExecutor().execute(() -> bounded.completeExceptionally(error));
              } else if (error != null) {
                bounded.completeExceptionally(error);
              } else {
                bounded.complete(value);
              }
            });
    return bounded;
  }
}
