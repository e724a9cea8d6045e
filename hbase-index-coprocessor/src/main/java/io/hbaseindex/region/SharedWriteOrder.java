package io.hbaseindex.region;

import io.hbaseindex.region.write.PostingClock;
import io.hbaseindex.region.write.RowLocks;
import java.io.IOException;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * The row locks and the clock of an open region, which two observers may have to share: a reload of
 * the configuration makes HBase replace all coprocessors of an open region while batches of the old
 * ones are still under way.
 *
 * @param rowLocks the locks
 * @param clock the clock
 */
record SharedWriteOrder(RowLocks rowLocks, PostingClock clock) {

  /** The one of this open region, made on first use. */
  static SharedWriteOrder of(
      RegionCoprocessorEnvironment env, LongSupplier wallClockMillis, long lockWaitMillis)
      throws IOException {
    ConcurrentMap<String, Object> shared = env.getSharedData();
    Object existing = shared.get(keyOf(env));
    if (existing != null) {
      return (SharedWriteOrder) existing;
    }
    Region region = env.getRegion();
    SharedWriteOrder created =
        new SharedWriteOrder(
            new RowLocks(lockWaitMillis),
            new PostingClock(wallClockMillis, PostingTimestamps.highestIn(region)));
    Object raced = shared.putIfAbsent(keyOf(env), created);
    return raced == null ? created : (SharedWriteOrder) raced;
  }

  /** Forgets the one of a region that has closed. */
  static void forget(RegionCoprocessorEnvironment env) {
    env.getSharedData().remove(keyOf(env));
  }

  // Several servers of one process, as in tests, share one map.
  private static String keyOf(RegionCoprocessorEnvironment env) {
    return env.getServerName() + "/" + env.getRegionInfo().getEncodedName();
  }
}
