/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.cluster;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/** Adds up the bytes of cells that regions append to their logs, before any compression. */
public final class LogBytes implements WALActionsListener, AutoCloseable {
  private final Set<WAL> logs = Collections.newSetFromMap(new IdentityHashMap<>());
  private final LongAdder bytes = new LongAdder();

  public LogBytes(List<HRegion> regions) {
    for (HRegion region : regions) {
      if (logs.add(region.getWAL())) {
        region.getWAL().registerWALActionsListener(this);
      }
    }
  }

  @Override
  public void postAppend(long entryLen, long elapsedTimeMillis, WALKey key, WALEdit edit) {
    bytes.add(entryLen);
  }

  public long sum() {
    return bytes.sum();
  }

  @Override
  public void close() {
    logs.forEach(log -> log.unregisterWALActionsListener(this));
  }
}
