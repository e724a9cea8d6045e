/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.route.RegionBounds;

/**
 * One generation of a region's filter on its way to the master and at the master: the filter as it
 * was when the generation began, in parts, and the log of its changes since.
 */
class PublishedGeneration {
  private final long generation;
  private final RecordedFilter filter;
  private final ChangeLog log;
  private final RegionBounds bounds;

  /** Null once every part has been staged. */
  private FilterChunks chunks;

  private int staged;

  /**
   * Takes the snapshot and begins the log, which is one step: no change is in both or in neither.
   */
  PublishedGeneration(long generation, RecordedFilter filter, ChangeLog log, int chunkBytes) {
    this.generation = generation;
    this.filter = filter;
    this.log = log;
    this.bounds = filter.bounds();
    this.chunks = new FilterChunks(filter.snapshot(), chunkBytes);
    filter.record(log);
  }

  long generation() {
    return generation;
  }

  RecordedFilter filter() {
    return filter;
  }

  ChangeLog log() {
    return log;
  }

  /** A write waits for the last bit that was set, whoever set it. */
  WriteTicket ticket(long now) {
    return ticketOf(log.lastSet(), now);
  }

  /** A write whose values have their bits elsewhere waits for the last bounds that were widened. */
  WriteTicket ticketOfBounds(long now) {
    return ticketOf(log.lastWidened(), now);
  }

  private WriteTicket ticketOf(long page, long now) {
    log.await(page, now);
    return new WriteTicket(generation, page);
  }

  /** How long the log may become; beyond that it costs less to send the filter once more. */
  long logBound(PublishLimits limits) {
    return Math.max(limits.logBytes(), filter.bytesToPublish());
  }

  /** Whether the master has every part. */
  boolean isStaged() {
    return chunks == null;
  }

  /** The master has this many parts. */
  void confirmStaged(long parts) {
    if (chunks != null && parts > staged) {
      staged = (int) Math.min(parts, chunks.count());
      if (staged == chunks.count()) {
        chunks = null;
      }
    }
  }

  /** Bytes of the parts that the master does not have. */
  long bytesToStage() {
    return chunks == null ? 0 : chunks.bytesFrom(staged) + (staged == 0 ? bounds.bytes() : 0);
  }

  /** Adds the parts the master does not have, in order, as far as they fit. */
  void addChunks(int region, PushBuilder push) {
    for (int number = staged; number < chunks.count() && push.takesParts(); number++) {
      push.addPart(
          new RegionMessage.StageChunk(
              region,
              generation,
              number,
              number == chunks.count() - 1,
              filter.coverage(),
              number == 0 ? bounds : RegionBounds.NOTHING,
              chunks.part(number)));
    }
  }

  /**
   * Adds the pages the master has not confirmed, in order, as far as they fit.
   *
   * @return whether every set bit is now confirmed or in the push
   */
  boolean addPages(int region, PushBuilder push) {
    long lastSet = log.lastSet();
    for (ChangeLog.Page page : log.cutAll()) {
      if (!push.hasRoom()) {
        return page.number() > lastSet;
      }
      push.add(
          new RegionMessage.ApplyPage(
              region, generation, page.number(), page.changes(), page.widened()));
    }
    return true;
  }
}
