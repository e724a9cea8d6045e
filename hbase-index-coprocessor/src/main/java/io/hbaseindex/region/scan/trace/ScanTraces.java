/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.trace;

import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The records of scans whose clients want to know afterwards what was done, by the id they chose.
 *
 * <p>Kept for {@value #LIFETIME_MILLIS} ms after it was last touched, {@value #MAX_TRACES} at most:
 * with one more, the one untouched for longest is forgotten. An id of more than {@value
 * #MAX_ID_LENGTH} bytes is not followed. Forgetting concerns nobody but who asks. Safe for use by
 * many threads.
 */
@InterfaceAudience.Private
public final class ScanTraces {
  static final int MAX_TRACES = 64;
  static final int MAX_ID_LENGTH = 64;
  static final long LIFETIME_MILLIS = 300_000;

  private final IndexMetrics region;
  private final LongSupplier clockMillis;

  /** In the order of the last touch. */
  private final Map<ByteBuffer, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param region is told everything that is counted
   */
  public ScanTraces(IndexMetrics region, LongSupplier clockMillis) {
    this.region = region;
    this.clockMillis = clockMillis;
  }

  private record Kept(ScanTrace trace, long touched) {}

  /** What to count for a scan with. */
  public IndexMetrics countsOf(Scan scan) {
    return of(scan).map(ScanTrace::counts).orElse(region);
  }

  /** The trace that a scan asks for, begun if it is new; empty if it asks for none. */
  public Optional<ScanTrace> of(Scan scan) {
    byte[] id = scan.getAttribute(IndexSettings.SCAN_TRACE);
    if (id == null || id.length == 0 || id.length > MAX_ID_LENGTH) {
      return Optional.empty();
    }
    synchronized (kept) {
      forgetOld();
      ByteBuffer key = ByteBuffer.wrap(id.clone());
      Kept known = kept.get(key);
      ScanTrace trace = known == null ? new ScanTrace(region) : known.trace();
      kept.put(key, new Kept(trace, clockMillis.getAsLong()));
      return Optional.of(trace);
    }
  }

  /** The trace of this id; empty if no such scan came here, or long ago. */
  public Optional<ScanTrace> find(byte[] id) {
    synchronized (kept) {
      forgetOld();
      return Optional.ofNullable(kept.get(ByteBuffer.wrap(id))).map(Kept::trace);
    }
  }

  private void forgetOld() {
    long now = clockMillis.getAsLong();
    var oldest = kept.values().iterator();
    while (oldest.hasNext()) {
      Kept next = oldest.next();
      if (now - next.touched() <= LIFETIME_MILLIS && kept.size() < MAX_TRACES) {
        return;
      }
      oldest.remove();
    }
  }
}
