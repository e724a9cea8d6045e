/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.master.IndexMasterEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the servers count is shown by their own web servers, where operators' tools look for it.
 * Runs in a process of its own: HBase shows the metrics of one cluster per process.
 */
@Tag("cluster")
class MetricsExportIT {
  private static final Pattern NAME = Pattern.compile("\\bindex_[a-z0-9_]+");

  /** What answers at /prometheus, since HBase 2.6. */
  private static final String PROMETHEUS_SERVLET =
      "org.apache.hadoop.hbase.http.prometheus.PrometheusHadoopServlet";

  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TestCluster.start(
            ClusterSettings.threeServers()
                .withMasterCoprocessor(IndexMasterEndpoint.class)
                .with("hbase.master.info.port", "0")
                .with("hbase.regionserver.info.port", "0"));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void regionServer_showsItsCounts_asJmxAndToPrometheus() throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster)) {
      table.awaitPrecise();
      jump(table);
      InfoServer web = cluster.mini().getRegionServer(0).getInfoServer();
      assertIsShown(web, "RegionServer", "ScansJumped", "index_scans_jumped");
      assertIsShown(web, "RegionServer", "PublishPushes", "index_publish_pushes");
      assertIsShown(
          web,
          "RegionServer",
          "Namespace_default_table_%s_metric_scansJumped"
              .formatted(table.name().getQualifierAsString()),
          "index_namespace_default_table_%s_metric_scans_jumped"
              .formatted(table.name().getQualifierAsString()));
    }
  }

  @Test
  void master_showsItsCounts_asJmxAndToPrometheus() throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster)) {
      table.awaitPrecise();
      InfoServer web = cluster.mini().getMaster().getInfoServer();
      assertIsShown(web, "Master", "Pushes", "index_master_pushes");
      assertIsShown(web, "Master", "FilterBytes", "index_master_filter_bytes");
    }
  }

  /** A panel or an alert over a name that no server shows would stay empty, and silent. */
  @Test
  void dashboardAndAlerts_nameWhatTheServersShow() throws Exception {
    assumeTrue(hasPrometheus(), "this HBase has no /prometheus");
    Set<String> named = new TreeSet<>();
    for (String file : List.of("grafana/hbase-index.json", "prometheus/hbase-index-rules.yml")) {
      Matcher expression =
          Pattern.compile("\"?(?:expr|query)\"?: \"(.*?(?<!\\\\))\"")
              .matcher(Files.readString(Path.of("..", "conf").resolve(file)));
      while (expression.find()) {
        NAME.matcher(expression.group(1)).results().map(MatchResult::group).forEach(named::add);
      }
    }
    assertThat(named).hasSizeGreaterThan(80);

    try (PublishedTable table = PublishedTable.create(cluster)) {
      table.awaitPrecise();
      Set<String> shown = new TreeSet<>();
      Waits.until("the servers show what dashboard and alerts name")
          .untilAsserted(
              () -> {
                shown.addAll(namesAt(cluster.mini().getMaster().getInfoServer()));
                shown.addAll(namesAt(cluster.mini().getRegionServer(0).getInfoServer()));
                assertThat(shown).containsAll(named);
              });
    }
  }

  private static Set<String> namesAt(InfoServer web) throws IOException {
    return get(web, "/prometheus")
        .lines()
        .filter(line -> line.startsWith("index_"))
        .map(line -> line.substring(0, line.indexOf('{')))
        .collect(Collectors.toSet());
  }

  @Test
  void names_areInLowerCamelCase_butForThoseOfTables() throws Exception {
    try (PublishedTable table = PublishedTable.create(cluster)) {
      table.awaitPrecise();
      assertThat(
              Stream.of(IndexRegistry.ofRegionServer(), IndexRegistry.ofMaster())
                  .map(MetricRegistry::getMetrics)
                  .flatMap(metrics -> metrics.keySet().stream())
                  .filter(name -> !name.startsWith("Namespace_")))
          .hasSizeGreaterThan(100)
          .allMatch(name -> name.matches("[a-z]+([A-Z][a-z]+)*"));
    }
  }

  private static void jump(PublishedTable published) throws IOException {
    try (Table table = cluster.connection().getTable(published.name());
        ResultScanner rows = table.getScanner(PublishedTable.byEmail("k7@example.org"))) {
      assertThat(rows).hasSize(1);
    }
  }

  /** HBase looks every ten seconds for what is new, so the first sight of a metric takes time. */
  private static void assertIsShown(InfoServer web, String bean, String jmx, String prometheus) {
    Pattern inJmx = Pattern.compile("\"" + Pattern.quote(jmx) + "\" *: *([0-9]+)");
    assertGetsPositive(
        web,
        "/jmx?qry=Hadoop:service=HBase,name=" + bean + ",sub=Index",
        text -> first(inJmx, text));
    if (!hasPrometheus()) {
      return;
    }
    Pattern inText =
        Pattern.compile("^" + Pattern.quote(prometheus) + "\\{[^}]*} ([0-9]+)$", Pattern.MULTILINE);
    assertGetsPositive(web, "/prometheus", text -> first(inText, text));
  }

  private static boolean hasPrometheus() {
    return InfoServer.class
            .getClassLoader()
            .getResource(PROMETHEUS_SERVLET.replace('.', '/') + ".class")
        != null;
  }

  private static void assertGetsPositive(
      InfoServer web, String path, ToLongFunction<String> value) {
    Waits.until(path + " shows what was counted")
        .until(() -> value.applyAsLong(get(web, path)) > 0);
  }

  private static long first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) : -1;
  }

  private static String get(InfoServer web, String path) throws IOException {
    URI address = URI.create("http://localhost:" + web.getPort() + path);
    try (InputStream body = address.toURL().openStream()) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
