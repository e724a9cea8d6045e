/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Counts scans and endpoint calls of each region. Scans with the attribute {@value #MEETING} wait
 * for each other, as many as the meeting is of.
 */
public final class WatchedRegions implements RegionCoprocessor, RegionObserver, EndpointObserver {
  static final String MEETING = "meeting";

  /** Shorter than the time after which HBase's client would try again. */
  private static final int HANG_SECONDS = 20;

  private static final Map<String, Integer> SCANS = new ConcurrentHashMap<>();
  private static final Map<String, Integer> CALLS = new ConcurrentHashMap<>();
  private static volatile CountDownLatch meeting = new CountDownLatch(0);
  private static volatile boolean missed;

  /** Begins to count anew; so many scans wait for each other. */
  static void begin(int meetingOf) {
    SCANS.clear();
    CALLS.clear();
    missed = false;
    meeting = new CountDownLatch(meetingOf);
  }

  /** Scans that met, by the start key of their region. */
  static Map<String, Integer> scans() {
    return Map.copyOf(SCANS);
  }

  /** Calls of endpoints, by the start key of their region. */
  static Map<String, Integer> calls() {
    return Map.copyOf(CALLS);
  }

  /** Whether some scan waited for others in vain. */
  static boolean isMeetingMissed() {
    return missed;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Optional<EndpointObserver> getEndpointObserver() {
    return Optional.of(this);
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
      throws IOException {
    if (scan.getAttribute(MEETING) == null) {
      return;
    }
    SCANS.merge(regionOf(context), 1, Integer::sum);
    meeting.countDown();
    try {
      missed |= !meeting.await(HANG_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Service service,
      String methodName,
      Message request) {
    CALLS.merge(regionOf(context), 1, Integer::sum);
    return request;
  }

  private static String regionOf(ObserverContext<RegionCoprocessorEnvironment> context) {
    return Bytes.toString(context.getEnvironment().getRegionInfo().getStartKey());
  }
}
