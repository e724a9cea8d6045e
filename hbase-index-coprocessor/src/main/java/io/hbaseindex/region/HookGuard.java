/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only {@link IOException} out of a coprocessor hook. Anything else would make HBase abort the
 * server or, worse, unload the observer and go on without it.
 */
final class HookGuard {
  private static final Logger LOG = LoggerFactory.getLogger(HookGuard.class);

  private final String region;

  HookGuard(String region) {
    this.region = region;
  }

  /** The body of a hook. */
  @FunctionalInterface
  interface Hook {
    void run() throws IOException;
  }

  /** The body of a hook that answers. */
  @FunctionalInterface
  interface Query<T> {
    T get() throws IOException;
  }

  void run(String what, Hook hook) throws IOException {
    get(
        what,
        () -> {
          hook.run();
          return null;
        });
  }

  /**
   * Runs a step whose failure nobody could do anything about: what HBase has done is done, and an
   * exception would be taken for its failure, or end the server.
   */
  void attempt(String what, Hook hook) {
    try {
      run(what, hook);
    } catch (IOException e) {
      LOG.error("The index of region {} could not {}; the region goes on", region, what, e);
    }
  }

  <T> T get(String what, Query<T> hook) throws IOException {
    try {
      return hook.get();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      throw new DoNotRetryIOException(
          "Cannot %s in region %s: the index failed with %s; this is a defect, please report it"
              .formatted(what, region, e),
          e);
    }
  }
}
