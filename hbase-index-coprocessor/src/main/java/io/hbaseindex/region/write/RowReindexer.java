/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.write.plan.RowPostings;
import io.hbaseindex.region.write.plan.UnindexableRowException;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Rewrites the postings of rows without changing the rows. Builds, repairs and the ending of stale
 * postings write in this way only.
 *
 * <p>It sends puts without cells through the region like any writer, on the caller's thread; when
 * they arrive in the observer, {@link BatchIndexer} recognises the thread, takes the row locks,
 * reads the rows and adds the postings. Reading and locking there and not before the call matters
 * twice: a verdict is never older than the lock it is written under, and the locks are always taken
 * inside HBase's update lock, as user writes take them; a caller that held a row lock while waiting
 * for the update lock would wait for a flush that waits for a writer that waits for the row.
 *
 * <p>Must not be called from a hook: a region cannot be written to from inside its own write.
 */
@InterfaceAudience.Private
public final class RowReindexer {
  private final Region region;
  private final ThreadLocal<Request> requests = new ThreadLocal<>();

  RowReindexer(Region region) {
    this.region = region;
  }

  /** What a call wrote. */
  public record Result(int live, int dead) {}

  /**
   * Writes every posting the rows call for in the given indexes, and ends the suspects that they do
   * not call for. The caller bounds the number of rows: all are locked together.
   *
   * @throws UnindexableRowException if a row cannot be indexed
   */
  public Result reindex(List<RowTask> tasks, Set<Integer> indexIds) throws IOException {
    Request request = new Request(indexIds);
    Put[] puts = new Put[tasks.size()];
    for (int i = 0; i < puts.length; i++) {
      // Durable whatever the table asks for: the data these postings belong to is durable already,
      // and the region's
      // ledger will soon say that they are there.
      puts[i] = new Put(tasks.get(i).row()).setDurability(Durability.SYNC_WAL);
      request.tasks.put(puts[i], tasks.get(i));
    }
    requests.set(request);
    try {
      for (OperationStatus status : region.batchMutate(puts)) {
        requireSuccess(status);
      }
    } finally {
      requests.remove();
    }
    return new Result(request.live, request.dead);
  }

  private void requireSuccess(OperationStatus status) throws IOException {
    if (status.getOperationStatusCode() != OperationStatusCode.SUCCESS) {
      throw new IOException(
          "Cannot write postings in region %s: the region answered %s %s"
              .formatted(
                  region.getRegionInfo().getEncodedName(),
                  status.getOperationStatusCode(),
                  status.getExceptionMsg()));
    }
  }

  /** What the calling thread has asked for; null for everybody else's writes. */
  Request current() {
    return requests.get();
  }

  /** One call in progress. */
  static final class Request {
    private final Map<Mutation, RowTask> tasks = new IdentityHashMap<>();
    private final Set<Integer> indexIds;
    private int live;
    private int dead;

    private Request(Set<Integer> indexIds) {
      this.indexIds = Set.copyOf(indexIds);
    }

    RowTask taskOf(Mutation mutation) {
      return tasks.get(mutation);
    }

    boolean wants(RowPostings index) {
      return indexIds.contains(index.definition().id());
    }

    void count(int writtenLive, int writtenDead) {
      live += writtenLive;
      dead += writtenDead;
    }
  }
}
