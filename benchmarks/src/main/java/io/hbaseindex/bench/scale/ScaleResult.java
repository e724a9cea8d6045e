/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale;

import io.hbaseindex.bench.report.LinePlot;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.bench.scale.ScaleSimulation.Sample;
import io.hbaseindex.bench.scale.virtual.CpuCosts;
import io.hbaseindex.bench.scale.virtual.CpuCosts.Call;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What a simulation came to.
 *
 * @param lockShare for what share of the time the lock that pushes are applied under was held; the
 *     number of pushes applied at a time if there is none
 * @param coresTaken how many cores of a holder were busy on average
 * @param serverBytes bytes of filter per live value at the region server
 * @param holderBytes bytes of filter per live value at the holder
 * @param missed routes that left out the region of an acknowledged value
 * @param named regions that a route for one value named, on average
 * @param openReasons why regions were open in the end, as their servers see it
 */
record ScaleResult(
    ScaleSettings settings,
    List<Sample> samples,
    CpuCosts costs,
    Traffic traffic,
    double lockShare,
    double coresTaken,
    double serverBytes,
    double holderBytes,
    long routed,
    long missed,
    double named,
    Map<String, Long> openReasons) {

  private List<Sample> counted() {
    return samples.stream().filter(sample -> sample.second() > settings.settle).toList();
  }

  /** The figures, one per row. */
  MarkdownTable table() {
    MarkdownTable table = new MarkdownTable("figure", "measured");
    addPrecision(table);
    addWaits(table);
    addTraffic(table);
    addCosts(table);
    table.row("filter bytes per value, region server", format("%.1f", serverBytes));
    table.row("filter bytes per value, holder", format("%.1f", holderBytes));
    table.row("routes for acknowledged values, of them missed", format("%,d, %d", routed, missed));
    table.row("regions named per route", format("%.2f", named));
    return table;
  }

  private void addPrecision(MarkdownTable table) {
    int all = settings.allRegions();
    List<Sample> counted = counted();
    Sample last = counted.get(counted.size() - 1);
    long fewest = counted.stream().mapToLong(Sample::precise).min().orElseThrow();
    double mean = counted.stream().mapToLong(Sample::precise).average().orElseThrow();
    table.row("precise regions in the end", format("%,d of %,d", last.precise(), all));
    table.row("precise regions, fewest, mean", format("%,d, %,.0f", fewest, mean));
    if (!openReasons.isEmpty()) {
      table.row("why regions are open in the end", openReasons);
    }
    if (settings.holderChange >= 0) {
      OptionalDouble again = preciseAgain();
      table.row(
          "all precise after the change of holder",
          again.isPresent() ? format("%.1f s", again.getAsDouble()) : "not until the end");
    }
  }

  /** Seconds from the change of holder until all regions were precise for the rest of the time. */
  OptionalDouble preciseAgain() {
    double change = settings.settle + settings.holderChange;
    double since = -1;
    for (Sample sample : samples) {
      if (sample.second() <= change) {
        continue;
      }
      if (sample.precise() < settings.allRegions()) {
        since = -1;
      } else if (since < 0) {
        since = sample.second() - change;
      }
    }
    return since < 0 ? OptionalDouble.empty() : OptionalDouble.of(since);
  }

  private void addWaits(MarkdownTable table) {
    Histogram waits = traffic.waits();
    if (waits.getTotalCount() > 0) {
      table.row("write batches", format("%,d", waits.getTotalCount()));
      table.row(
          "write wait p50, p99, max",
          format(
              "%.2f, %.1f, %,.0f ms",
              waits.getValueAtPercentile(50) / 1e6,
              waits.getValueAtPercentile(99) / 1e6,
              waits.getMaxValue() / 1e6));
    }
  }

  private void addTraffic(MarkdownTable table) {
    double seconds = settings.seconds;
    double perServer = traffic.pushes / seconds / settings.servers;
    table.row(
        "pushes per second, of one server",
        format("%,.0f, %,.1f", traffic.pushes / seconds, perServer));
    table.row(
        "pushes refused, answered too late", format("%,d, %,d", traffic.refused, traffic.late));
    table.row(
        "messages per push",
        format("%.1f", (double) traffic.messages / Math.max(1, traffic.pushes)));
    table.row(
        "bytes sent per second to holders, back",
        format("%,.0f, %,.0f", traffic.pushBytes / seconds, traffic.replyBytes / seconds));
    if (traffic.waits().getTotalCount() > 0) {
      double values =
          (double) traffic.waits().getTotalCount()
              * settings.batchValues
              * settings.simulated()
              / settings.holders;
      table.row("bytes sent per value written", format("%.1f", traffic.pushBytes / values));
    }
    table.row(
        settings.parallelPushes ? "pushes applied at a time, mean" : "registry's lock held",
        settings.parallelPushes ? format("%.2f", lockShare) : format("%.0f %%", 100 * lockShare));
    table.row("cores of a holder in use, of " + settings.cores, format("%.2f", coresTaken));
  }

  private void addCosts(MarkdownTable table) {
    table.row(
        "CPU per push at the holder",
        format(
            "%.0f µs",
            costs.totalNanos(Call.DECODE, Call.APPLY, Call.REPLY)
                / Math.max(1, traffic.pushes)
                / 1e3));
    table.row(
        "CPU per push at the server",
        format(
            "%.0f µs",
            costs.totalNanos(Call.INSERT, Call.POLL, Call.SEND, Call.HEAR)
                / Math.max(1, traffic.pushes)
                / 1e3));
    for (Call call : Call.values()) {
      Histogram cost = costs.of(call);
      if (cost.getTotalCount() > 0) {
        table.row(
            call.label() + ": mean, p99, max",
            format(
                "%.1f, %.0f, %,.0f µs",
                cost.getMean() / 1e3,
                cost.getValueAtPercentile(99) / 1e3,
                cost.getMaxValue() / 1e3));
      }
    }
  }

  /** Precise regions over time. */
  LinePlot plot() {
    double[] seconds = samples.stream().mapToDouble(Sample::second).toArray();
    double[] precise =
        samples.stream().mapToDouble(s -> 100.0 * s.precise() / settings.allRegions()).toArray();
    return new LinePlot("Precise regions over time", "virtual seconds", "precise regions, %")
        .line("precise", seconds, precise);
  }

  /** The course of the run, one line per sample. */
  String csv() {
    StringBuilder text =
        new StringBuilder("second,precise,regions,pushes_per_second,refused,wait_max_ms\n");
    for (Sample sample : samples) {
      text.append(
          format(
              "%.2f,%d,%d,%.1f,%d,%.3f%n",
              sample.second(),
              sample.precise(),
              settings.allRegions(),
              sample.pushesPerSecond(),
              sample.refused(),
              sample.waitMaxMillis()));
    }
    return text.toString();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
