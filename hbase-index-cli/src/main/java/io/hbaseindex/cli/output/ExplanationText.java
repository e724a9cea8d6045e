/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.output;

import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.explain.IndexAdvice;
import io.hbaseindex.client.admin.explain.RegionVisit;
import io.hbaseindex.client.admin.explain.RouteFigures;
import io.hbaseindex.common.metrics.MetricName;
import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.core.definition.ColumnRef;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** Puts an explanation into words and into JSON. */
@InterfaceAudience.Private
public final class ExplanationText {
  private static final double MICROS_PER_MILLI = 1_000.0;

  private ExplanationText() {}

  public static void describe(Explanation explanation, CommandAnswer answer) {
    route(explanation.route(), answer);
    indexes(explanation, answer);
    accesses(explanation, answer);
    work(explanation, answer);
    advice(explanation, answer);
    regions(explanation, answer);
  }

  private static void route(RouteFigures route, CommandAnswer answer) {
    answer.line(
        "regions:  %d of %d looked at, %d skipped; %d may hold rows by their filter, %d open%s"
            .formatted(
                route.candidates(),
                route.regions(),
                route.skipped(),
                route.positive(),
                route.open(),
                route.openReasons().isEmpty() ? "" : " " + reasons(route.openReasons())));
    answer.line(
        "servers:  %d of %d asked, %d skipped"
            .formatted(route.candidateServers(), route.servers(), route.skippedServers()));
    route.unrouted().ifPresent(why -> answer.line("          not routed: " + why));
    if (!route.askedBy().isEmpty()) {
      answer.line(
          "routed:   by %s%s"
              .formatted(
                  String.join(" and ", route.askedBy()),
                  route.guessed() ? ", begun by a guess before that" : ""));
    }
    JsonObject json = new JsonObject();
    json.addProperty("unrouted", route.unrouted().orElse(null));
    json.addProperty("regions", route.regions());
    json.addProperty("candidates", route.candidates());
    json.addProperty("skipped", route.skipped());
    json.addProperty("positive", route.positive());
    json.addProperty("open", route.open());
    json.addProperty("precise", route.isPrecise());
    json.add("openReasons", counts(route.openReasons()));
    json.addProperty("servers", route.servers());
    json.addProperty("candidateServers", route.candidateServers());
    json.addProperty("skippedServers", route.skippedServers());
    JsonArray askedBy = new JsonArray();
    route.askedBy().forEach(askedBy::add);
    json.add("askedBy", askedBy);
    json.addProperty("guessed", route.guessed());
    answer.json().add("route", json);
  }

  private static void indexes(Explanation explanation, CommandAnswer answer) {
    explanation
        .plain()
        .ifPresent(why -> answer.line("          no index may serve it: " + why.metricName()));
    answer.json().addProperty("plain", explanation.plain().map(Enum::name).orElse(null));
    JsonArray indexes = new JsonArray();
    for (Explanation.IndexUse use : explanation.indexes()) {
      answer.line(
          "index:    %s used in %s; %s"
              .formatted(
                  use.index(), CountText.of(use.usedIn(), "region"), reasons(use.reasons())));
      JsonObject json = new JsonObject();
      json.addProperty("index", use.index());
      json.addProperty("usedIn", use.usedIn());
      json.add("reasons", counts(use.reasons()));
      indexes.add(json);
    }
    answer.json().add("indexes", indexes);
  }

  private static void accesses(Explanation explanation, CommandAnswer answer) {
    JsonArray accesses = new JsonArray();
    for (Explanation.AccessSum sum : explanation.accesses()) {
      boolean known = sum.unknown() < sum.readIn() + sum.leftOutIn();
      answer.line(
          "postings: %s: %s, %s read in %s%s"
              .formatted(
                  sum.access(),
                  known
                      ? "%,d expected at most".formatted(sum.estimated())
                      : "expected number unknown",
                  CountText.of(sum.live(), "live one"),
                  CountText.of(sum.readIn(), "region"),
                  sum.leftOutIn() == 0 ? "" : ", left out in " + sum.leftOutIn()));
      JsonObject json = new JsonObject();
      json.addProperty("access", sum.access());
      json.addProperty("estimated", known ? sum.estimated() : null);
      json.addProperty("unknownIn", sum.unknown());
      json.addProperty("readIn", sum.readIn());
      json.addProperty("leftOutIn", sum.leftOutIn());
      json.addProperty("live", sum.live());
      accesses.add(json);
    }
    answer.json().add("accesses", accesses);
  }

  private static void work(Explanation explanation, CommandAnswer answer) {
    answer.line(
        "work:     %s read, %s, %,d of them stale, %s read, %,d returned"
            .formatted(
                CountText.of(explanation.counted("postingsRead"), "posting"),
                CountText.of(explanation.counted("candidates"), "candidate row"),
                explanation.counted("staleCandidates"),
                CountText.of(explanation.counted("rowsRead"), "row"),
                explanation.rows()));
    if (explanation.counted("rowsFromPostings") > 0) {
      answer.line(
          "          %s came from postings and needed no reading"
              .formatted(CountText.of(explanation.counted("rowsFromPostings"), "row")));
    }
    answer.line(
        "scans:    %d jumped, %d plain"
            .formatted(explanation.counted("scansJumped"), explanation.counted("scansPlain")));
    if (explanation.counted("scansOrdered") > 0) {
      answer.line(
          "order:    %s found in value order by postings, %s compared"
              .formatted(
                  CountText.of(explanation.counted("orderedByPostings"), "row"),
                  CountText.of(explanation.counted("orderedByRows"), "row")));
    }
    Explanation.Times times = explanation.times();
    answer.line(
        "time:     route %s ms, scan %s ms (planning %s ms and opening postings %s ms in the regions)"
            .formatted(
                millis(times.routing()),
                millis(times.scanning()),
                millis(sum(explanation, false)),
                millis(sum(explanation, true))));
    answer.json().addProperty("rows", explanation.rows());
    JsonObject counters = new JsonObject();
    explanation.counters().forEach(counters::addProperty);
    answer.json().add("counters", counters);
    JsonObject micros = new JsonObject();
    micros.addProperty("route", times.routing().toNanos() / 1_000);
    micros.addProperty("scan", times.scanning().toNanos() / 1_000);
    micros.addProperty("collect", times.collecting().toNanos() / 1_000);
    micros.addProperty("planInRegions", sum(explanation, false).toNanos() / 1_000);
    micros.addProperty("openInRegions", sum(explanation, true).toNanos() / 1_000);
    answer.json().add("micros", micros);
  }

  private static void advice(Explanation explanation, CommandAnswer answer) {
    explanation
        .advice()
        .ifPresent(
            index -> {
              StringBuilder command =
                  new StringBuilder("create ")
                      .append(explanation.table())
                      .append(' ')
                      .append(index.name())
                      .append(" -c ")
                      .append(joined(index));
              for (ColumnRef column : index.columns()) {
                if (index.types().containsKey(column)) {
                  command.append(" -t ").append(column).append('=');
                  command.append(index.types().get(column).keyword());
                }
              }
              answer.line("advice:   an index would lead to these rows at once: " + command);
              answer.json().addProperty("advice", command.toString());
            });
  }

  private static String joined(IndexAdvice index) {
    return index.columns().stream().map(ColumnRef::toString).collect(Collectors.joining(","));
  }

  private static void regions(Explanation explanation, CommandAnswer answer) {
    JsonArray regions = new JsonArray();
    TextTable text =
        new TextTable(
            "REGION",
            "START KEY",
            "SERVER",
            "PLAN",
            "POSTINGS",
            "CANDIDATES",
            "STALE",
            "ROWS READ");
    for (RegionVisit visit : explanation.visits()) {
      Map<String, Long> counters = visit.counters();
      text.row(
          visit.region(),
          "\"" + Bytes.toStringBinary(visit.startKey()) + "\"",
          ServerText.of(visit.server()),
          visit.plan().isEmpty() ? "plain: " + plainReasons(counters) : visit.plan(),
          counters.getOrDefault("postingsRead", 0L),
          counters.getOrDefault("candidates", 0L),
          counters.getOrDefault("staleCandidates", 0L),
          counters.getOrDefault("rowsRead", 0L));
      JsonObject json = new JsonObject();
      json.addProperty("region", visit.region());
      json.addProperty("server", visit.server());
      json.addProperty("plan", visit.plan());
      JsonObject counts = new JsonObject();
      counters.forEach(counts::addProperty);
      json.add("counters", counts);
      regions.add(json);
    }
    answer.json().add("visits", regions);
    if (regions.isEmpty()) {
      answer.line("No indexed region was visited.");
    } else {
      answer.table(text);
    }
  }

  private static String plainReasons(Map<String, Long> counters) {
    return Arrays.stream(PlainScanReason.values())
        .map(PlainScanReason::metricName)
        .filter(reason -> counters.containsKey(MetricName.of("scansPlain", reason)))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static Duration sum(Explanation explanation, boolean opening) {
    return explanation.visits().stream()
        .map(opening ? RegionVisit::opening : RegionVisit::planning)
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static String millis(Duration time) {
    return "%.1f".formatted(time.toNanos() / 1_000 / MICROS_PER_MILLI);
  }

  private static String reasons(Map<String, Integer> reasons) {
    return reasons.entrySet().stream()
        .map(reason -> reason.getKey() + " (" + reason.getValue() + ")")
        .collect(Collectors.joining(", "));
  }

  private static JsonObject counts(Map<String, Integer> reasons) {
    JsonObject json = new JsonObject();
    reasons.forEach(json::addProperty);
    return json;
  }
}
