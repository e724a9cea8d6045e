/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.scale.virtual.CpuCosts;
import io.hbaseindex.bench.scale.virtual.CpuCosts.Call;
import io.hbaseindex.bench.scale.virtual.VirtualTime;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.hash.BitMixer;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.push.FilterChunks;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How long a holder takes to route one value, the more regions the longer. Filters of so many
 * regions cannot all be built in a moment: a few are built and published by many regions. Only the
 * first region has a filter of its own, and the values of that one are asked for.
 */
final class RouteTimes {
  private static final int FILTERS = 8;
  private static final int QUESTIONS = 2_000;
  private static final int WARM_UP = 5_000;

  private static final String SERVER = "server0,16020,1";

  private final ScaleSettings settings;
  private final VirtualTime time = new VirtualTime();
  private final CpuCosts costs;
  private final FilterRegistry registry;
  private final LeaseToken token;
  private final MarkdownTable table =
      new MarkdownTable(
          "regions",
          "present value p50 µs",
          "p99 µs",
          "by the clock p50 µs",
          "absent value p50 µs",
          "p99 µs",
          "regions named, present",
          "absent",
          "bytes per value");
  private final List<Double> counts = new ArrayList<>();
  private final List<Double> medians = new ArrayList<>();

  RouteTimes(ScaleSettings settings) {
    this.settings = settings;
    this.costs = new CpuCosts(settings.cpuScale);
    LeaseTerms terms = LeaseTerms.standard();
    this.registry =
        new FilterRegistry(
            1, time, terms, RegistryLimits.ofBytes(Long.MAX_VALUE), server -> true, moment -> true);
    time.runUntil(terms.seniorityNanos());
    // Time stands still from now on: what is trusted once stays trusted.
    this.token = registry.apply(new Push(SERVER, 0, null, 0, List.of())).token();
  }

  ScaleOutcome measure() {
    List<FilterChunks> filters = new ArrayList<>();
    int regions = settings.allRegions();
    int nextMeasured = 10;
    for (int region = 0; region < regions; region++) {
      if (filters.size() < FILTERS) {
        filters.add(build(region));
        System.err.printf("filter %d of %d is built%n", filters.size(), FILTERS);
      }
      publish(region, filters.get(region == 0 ? 0 : 1 + region % (filters.size() - 1)));
      if (region + 1 == nextMeasured || region + 1 == regions) {
        nextMeasured *= 10;
        addRow(region + 1);
      }
    }
    Histogram applied = costs.of(Call.APPLY);
    String note =
        "%,d values in each region; processor time of one thread, and time by the clock with the reading of that. Publishing one region: p50 %.1f, p99 %.1f, at most %.1f ms."
            .formatted(
                settings.values,
                applied.getValueAtPercentile(50) / 1e6,
                applied.getValueAtPercentile(99) / 1e6,
                applied.getMaxValue() / 1e6);
    LinePlot plot =
        new LinePlot("Routing one value", "regions", "µs, p50")
            .logarithmicX()
            .logarithmicY()
            .line("present value", toArray(counts), toArray(medians));
    return new ScaleOutcome(table + "\n" + note, null, plot, true);
  }

  private static double[] toArray(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private FilterChunks build(int region) {
    ScalableSplitCountingBloomFilter filter =
        new ScalableSplitCountingBloomFilter(
            FilterGeometry.standard(),
            FilterChangeListener.NONE,
            settings.values,
            ScalableSplitCountingBloomFilter.DEFAULT_HEAVY_LIMIT);
    for (int value = 0; value < settings.values; value++) {
      filter.insert(element(region, value));
    }
    return new FilterChunks(filter.snapshot(), PublishLimits.standard().chunkBytes());
  }

  private void publish(int region, FilterChunks filter) {
    List<RegionMessage> messages = new ArrayList<>();
    messages.add(
        new OpenRegion(region, SimulatedRegion.incarnation(region, settings.allRegions(), 1), 0));
    for (int part = 0; part < filter.count(); part++) {
      messages.add(
          new StageChunk(
              region,
              1,
              part,
              part == filter.count() - 1,
              List.of(ScaleWorld.COVERAGE),
              filter.part(part)));
    }
    messages.add(new RenewTrust(region, 1, 0));
    Push push = new Push(SERVER, region + 1, token, 0, messages);
    costs.measure(Call.APPLY, () -> registry.apply(push));
  }

  /** Has all bits moved to where routes read them fastest, as a thread of the holder does. */
  private void settle() {
    long nanos = 0;
    long longest = 0;
    boolean more = true;
    while (more) {
      more = costs.measure(Call.TIDY, () -> registry.tidy(1));
      nanos += costs.lastNanos();
      longest = Math.max(longest, costs.lastNanos());
    }
    System.err.printf(
        "settled after %.1f s of processor time, in steps of %.1f ms at most%n",
        nanos / 1e9, longest / 1e6);
  }

  private void addRow(int regions) {
    settle();
    ask(WARM_UP, true);
    Asked present = ask(QUESTIONS, true);
    Asked absent = ask(QUESTIONS, false);
    table.row(
        format("%,d", regions),
        micros(present.nanos.getValueAtPercentile(50)),
        micros(present.nanos.getValueAtPercentile(99)),
        micros(present.clockNanos.getValueAtPercentile(50)),
        micros(absent.nanos.getValueAtPercentile(50)),
        micros(absent.nanos.getValueAtPercentile(99)),
        format("%.2f", present.named),
        format("%.2f", absent.named),
        format("%.2f", registry.filterBytes() / ((double) regions * settings.values)));
    counts.add((double) regions);
    medians.add(present.nanos.getValueAtPercentile(50) / 1e3);
    System.err.printf("%,d regions are measured%n", regions);
  }

  private record Asked(Histogram nanos, Histogram clockNanos, double named) {}

  private Asked ask(int questions, boolean present) {
    costs.forget(Call.ROUTE);
    Histogram clockNanos = new Histogram(3);
    long named = 0;
    for (int question = 0; question < questions; question++) {
      int value = (int) (question * 7919L % settings.values);
      long element = present ? element(0, value) : element(-1, question);
      RoutePredicate predicate = new RoutePredicate.Element(ScaleWorld.COVERAGE, element);
      long began = System.nanoTime();
      RouteAnswer answer =
          costs.measure(Call.ROUTE, () -> registry.route(ScaleWorld.TABLE, predicate));
      clockNanos.recordValue(System.nanoTime() - began);
      named += answer.positive() + answer.open();
      if (present && !answer.mayHold(SimulatedRegion.key(0))) {
        throw new IllegalStateException(
            "Cannot trust the routes: value %d of region 0 was missed".formatted(value));
      }
    }
    return new Asked(costs.of(Call.ROUTE), clockNanos, (double) named / questions);
  }

  private static long element(int region, int value) {
    return BitMixer.mix(((long) region << 32) + value);
  }

  private static String micros(long nanos) {
    return format("%.1f", nanos / 1e3);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
