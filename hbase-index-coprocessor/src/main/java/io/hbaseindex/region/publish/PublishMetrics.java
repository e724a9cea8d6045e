/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.metrics.SumGauge;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.OpenReason;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/** What a region server counts of its publishing, in HBase's own metric registry. */
final class PublishMetrics implements FilterUpkeep.Tally {
  private final Counter pushes;
  private final Counter sentBytes;
  private final Counter failures;
  private final Map<PushFailure, Counter> failuresByReason;
  private final Map<Verdict, Counter> answers;
  private final Counter rebuilds;
  private final Counter rebuildsHeldUp;
  private final Counter filtersStored;
  private final Counter filtersStoredBytes;
  private final Counter filtersNotStored;
  private final Counter filtersLoaded;
  private final Counter filtersNotLoaded;
  private final Histogram messages;
  private final Histogram bytes;
  private final Timer pushTime;
  private final Timer waits;
  private final Counter givenUp;
  private final SumGauge preciseRegions;
  private final Map<OpenReason, SumGauge> openRegions;
  private final Map<OpenReason, Counter> openMillis;
  private final SumGauge unconfirmedBytes;
  private final SumGauge filterBytes;
  private final Counter relayed;
  private final Counter relaysRefused;

  PublishMetrics(MetricRegistry registry) {
    pushes = registry.counter("publishPushes");
    sentBytes = registry.counter("publishSentBytes");
    failures = registry.counter("publishPushesFailed");
    failuresByReason = IndexRegistry.countersOf(registry, "publishPushesFailed", PushFailure.class);
    answers = IndexRegistry.countersOf(registry, "publishAnswers", Verdict.class);
    rebuilds = registry.counter("publishFilterRebuilds");
    rebuildsHeldUp = registry.counter("publishFilterRebuildsHeldUp");
    filtersStored = registry.counter("publishFiltersStored");
    filtersStoredBytes = registry.counter("publishFiltersStoredBytes");
    filtersNotStored = registry.counter("publishFiltersNotStored");
    filtersLoaded = registry.counter("publishFiltersLoaded");
    filtersNotLoaded = registry.counter("publishFiltersNotLoaded");
    messages = registry.histogram("publishPushMessages");
    bytes = registry.histogram("publishPushBytes");
    pushTime = registry.timer("publishPushTime");
    waits = registry.timer("publishWriteWait");
    givenUp = registry.counter("publishWaitsGivenUp");
    preciseRegions = IndexRegistry.sum(registry, "publishRegionsPrecise");
    openRegions = IndexRegistry.sumsOf(registry, "publishRegionsOpen", OpenReason.class);
    openMillis = IndexRegistry.countersOf(registry, "publishOpenMs", OpenReason.class);
    unconfirmedBytes = IndexRegistry.sum(registry, "publishUnconfirmedBytes");
    filterBytes = IndexRegistry.sum(registry, "publishFilterBytes");
    relayed = registry.counter("publishQuestionsRelayed");
    relaysRefused = registry.counter("publishQuestionsRefused");
  }

  /** A push with so many messages is on its way. */
  void pushed(int count) {
    pushes.increment();
    messages.update(count);
  }

  /** Bytes of a push, as they go over the wire. */
  void sent(int count) {
    sentBytes.increment(count);
    bytes.update(count);
  }

  void answered(PushReply reply, long nanos) {
    pushTime.update(nanos, TimeUnit.NANOSECONDS);
    reply.replies().forEach(answer -> answers.get(answer.verdict()).increment());
  }

  void pushFailed(PushFailure reason) {
    failures.increment();
    failuresByReason.get(reason).increment();
  }

  void waited(long nanos) {
    waits.update(nanos, TimeUnit.NANOSECONDS);
  }

  /** Somebody waited for the master for as long as anybody may, and went on unconfirmed. */
  void gaveUp() {
    givenUp.increment();
  }

  @Override
  public void rebuilt() {
    rebuilds.increment();
  }

  @Override
  public void heldUp() {
    rebuildsHeldUp.increment();
  }

  /** A filter was written to a file, with so many bytes. */
  void filterStored(long size) {
    filtersStored.increment();
    filtersStoredBytes.increment(size);
  }

  /** A filter could not be written. */
  void filterNotStored() {
    filtersNotStored.increment();
  }

  /** A stored filter was read, and taken or not. */
  void filterLoaded(boolean taken) {
    (taken ? filtersLoaded : filtersNotLoaded).increment();
  }

  /** Some regions more, or less, have a filter that the master trusts. */
  void preciseRegions(long more) {
    preciseRegions.add(more);
  }

  /** Some regions more, or less, are open for a reason. */
  void openRegions(OpenReason reason, long more) {
    openRegions.get(reason).add(more);
  }

  /** Regions have been open for a reason, for so long in sum. */
  void openFor(OpenReason reason, long millis) {
    openMillis.get(reason).increment(millis);
  }

  /** A client's question was passed on to the master. */
  void relayed() {
    relayed.increment();
  }

  /** A client's question was not passed on because too many were under way. */
  void relayRefused() {
    relaysRefused.increment();
  }

  /** Some bytes more, or less, wait for the master's confirmation. */
  void unconfirmedBytes(long more) {
    unconfirmedBytes.add(more);
  }

  /** The filters of the server's regions take some bytes of memory more, or less. */
  void filterBytes(long more) {
    filterBytes.add(more);
  }
}
