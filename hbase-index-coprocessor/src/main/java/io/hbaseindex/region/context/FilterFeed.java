/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import java.util.Collection;
import org.apache.yetus.audience.InterfaceAudience;

/** Follows which postings of a region are live, so that its filter never lacks one. */
@InterfaceAudience.Private
public interface FilterFeed {
  /** Whether it is worth finding out what starts and ends; if not, batches begin without it. */
  boolean isFollowing();

  /**
   * The filter's part of a batch that changes no posting, before anything of it is written. It has
   * to wait only where filters that earlier incarnations of the region published may still be
   * trusted: they may cover an index that the region no longer keeps.
   */
  Step beginUnindexed();

  /**
   * The filter's part of a batch, before anything of the batch is written.
   *
   * @param started index rows of postings that were not live, as far as is known, and will be
   * @param kept index rows of postings that certainly are live, and stay so
   * @param ended index rows of postings that certainly are live, and will not be
   */
  Step begin(Collection<byte[]> started, Collection<byte[]> kept, Collection<byte[]> ended);

  /** One batch on its way. */
  @FunctionalInterface
  interface Step {
    /** The step of a batch that no filter follows. */
    Step NONE = () -> {};

    /**
     * Waits, for a bounded time, until the batch may be acknowledged. Called when it is written and
     * not yet visible.
     */
    void awaitConfirmation();

    /** The batch is visible: what it has ended may be forgotten. */
    default void succeeded() {}

    /** The batch has passed its last step, or has failed. Called once or more. */
    default void end() {}
  }
}
