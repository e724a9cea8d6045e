/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.push.RegionReply.Verdict;
import io.hbaseindex.core.route.OpenReason;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.Timer;

/** What a region server counts of its publishing, in HBase's own metric registry. */
final class PublishMetrics {
  private static final String PREFIX = "hbaseindex.publish.";

  private final MetricRegistry registry;
  private final Counter pushes;
  private final Counter sentBytes;
  private final Counter failures;
  private final Counter refusals;
  private final Map<PushFailure, Counter> failuresByReason;
  private final Map<Verdict, Counter> answers;
  private final Counter rebuilds;
  private final Histogram messages;
  private final Histogram bytes;
  private final Timer pushTime;
  private final Timer waits;
  private final Counter givenUp;
  private final Counter preciseRegions;
  private final Map<OpenReason, Counter> openRegions;
  private final Map<OpenReason, Counter> openMillis;
  private final Counter unconfirmedBytes;
  private final Counter relayed;
  private final Counter relaysRefused;

  PublishMetrics(MetricRegistry registry) {
    this.registry = registry;
    pushes = registry.counter(PREFIX + "pushes");
    sentBytes = registry.counter(PREFIX + "sent-bytes");
    failures = registry.counter(PREFIX + "failed-pushes");
    refusals = registry.counter(PREFIX + "refused-pushes");
    failuresByReason = byConstant(PushFailure.class, "failed-pushes");
    answers = byConstant(Verdict.class, "push-answers");
    rebuilds = registry.counter(PREFIX + "filter-rebuilds");
    messages = registry.histogram(PREFIX + "messages-per-push");
    bytes = registry.histogram(PREFIX + "push-bytes");
    pushTime = registry.timer(PREFIX + "push-time");
    waits = registry.timer(PREFIX + "write-wait");
    givenUp = registry.counter(PREFIX + "waits-given-up");
    preciseRegions = registry.counter(PREFIX + "regions-precise");
    openRegions = byConstant(OpenReason.class, "regions-open");
    openMillis = byConstant(OpenReason.class, "open-ms");
    unconfirmedBytes = registry.counter(PREFIX + "unconfirmed-bytes");
    relayed = registry.counter(PREFIX + "relayed-questions");
    relaysRefused = registry.counter(PREFIX + "refused-relays");
  }

  private <E extends Enum<E>> Map<E, Counter> byConstant(Class<E> type, String name) {
    Map<E, Counter> counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      String spelled = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
      counters.put(constant, registry.counter(PREFIX + name + "." + spelled));
    }
    return counters;
  }

  void pushed(int count, long weight) {
    pushes.increment();
    messages.update(count);
    bytes.update(weight);
  }

  /** Bytes of a push, as they go over the wire. */
  void sent(int count) {
    sentBytes.increment(count);
  }

  void answered(PushReply reply, long nanos) {
    pushTime.update(nanos, TimeUnit.NANOSECONDS);
    reply.replies().forEach(answer -> answers.get(answer.verdict()).increment());
  }

  void pushFailed(PushFailure reason) {
    failures.increment();
    failuresByReason.get(reason).increment();
  }

  /** The master takes no pushes from this server; one of the failures. */
  void pushRefused() {
    refusals.increment();
  }

  void waited(long nanos) {
    waits.update(nanos, TimeUnit.NANOSECONDS);
  }

  /** Somebody waited for the master for as long as anybody may, and went on unconfirmed. */
  void gaveUp() {
    givenUp.increment();
  }

  void rebuilt() {
    rebuilds.increment();
  }

  /** Some regions more, or less, have a filter that the master trusts. */
  void preciseRegions(long more) {
    preciseRegions.increment(more);
  }

  /** Some regions more, or less, are open for a reason. */
  void openRegions(OpenReason reason, long more) {
    openRegions.get(reason).increment(more);
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
    unconfirmedBytes.increment(more);
  }
}
