/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.scale.cluster;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.RoutedValues;
import io.hbaseindex.bench.report.Docs;
import io.hbaseindex.bench.report.MarkdownTable;
import io.hbaseindex.common.metrics.IndexRegistry;
import io.hbaseindex.common.metrics.MetricName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Moves a large region and kills its server, and times how soon its filter is trusted again. */
@Command(
    name = "reopen",
    description =
        "Measures how soon a region is precise after it has opened on another server, on a cluster"
            + " in this process.")
public final class ReopenCommand implements Callable<Integer> {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long LOOK_MILLIS = 2;

  /** One flush of all rows, and no split. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "hbase.hregion.memstore.flush.size", "536870912",
          "hbase.hregion.max.filesize", "107374182400",
          "hbase.rpc.timeout", "600000",
          "hbase.client.operation.timeout", "1200000");

  @Option(
      names = "--rows",
      defaultValue = "1000000",
      description = "Rows of the region, each with a value of its own; ${DEFAULT-VALUE}.")
  private int rows;

  @Option(
      names = "--late",
      defaultValue = "5000",
      description = "Rows that are in the log only when a server is killed; ${DEFAULT-VALUE}.")
  private int late;

  @Option(names = "--rounds", defaultValue = "3", description = "Rounds; ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--section",
      paramLabel = "NAME",
      description = "Write the table into the section of that name of docs/SCALE.md.")
  private String section;

  @Option(
      names = "--docs",
      paramLabel = "DIR",
      required = true,
      defaultValue = "${sys:bench.docs}",
      description = "Where SCALE.md is; default: docs of this source tree.")
  private Path docs;

  private int written;

  /** Something that makes a region open elsewhere. */
  private interface Event {
    void happen(HRegion region) throws Exception;
  }

  @Override
  public Integer call() throws Exception {
    MarkdownTable text =
        new MarkdownTable(
            "what happens",
            "until it is open, s",
            "from then until it is precise, s",
            "stored filters read",
            "filters built",
            "postings read for it");
    try (BenchCluster cluster = BenchCluster.startRouting(2, SETTINGS)) {
      System.err.printf("loading %,d rows%n", rows);
      RoutedValues table = RoutedValues.create(cluster, "values", rows, 1);
      table.load(rows, 2);
      table.awaitPrecise();
      store(cluster, table);
      for (int round = 1; round <= rounds; round++) {
        System.err.printf("round %d of %d%n", round, rounds);
        measure(cluster, table, "move", text, cluster::move);
        putLate(cluster, table);
        measure(
            cluster,
            table,
            "kill, %,d rows in the log".formatted(late),
            text,
            cluster::killServerOf);
        store(cluster, table);
      }
      table.routed().close();
    }
    String note =
        "One region of %,d values, servers in one process, %d processors."
            .formatted(rows, Runtime.getRuntime().availableProcessors());
    System.out.println(text + "\n" + note);
    if (section != null) {
      new Docs(docs).sectionsOf("SCALE.md").replace(section, text + "\n" + note);
    }
    return 0;
  }

  /** Flushes, and returns when the filter is stored. */
  private static void store(BenchCluster cluster, RoutedValues table) throws Exception {
    long before = counted("publishFiltersStored");
    cluster.flush(table.name());
    long began = System.nanoTime();
    // A filter that is not worth it is not stored with a flush, but with the next close.
    while (counted("publishFiltersStored") == before
        && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(10)) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private void putLate(BenchCluster cluster, RoutedValues table) throws IOException {
    try (Table plain = cluster.connection().getTable(table.name())) {
      for (int row = 0; row < late; row++) {
        table.putBeside(plain, row, ++written);
      }
    }
  }

  private static void measure(
      BenchCluster cluster, RoutedValues table, String what, MarkdownTable text, Event event)
      throws Exception {
    long loaded = counted("publishFiltersLoaded");
    long built = counted("publishFilterRebuilds");
    long read = postingsRead(table.name());
    HRegion before = cluster.regions(table.name()).get(0);
    long began = System.nanoTime();
    event.happen(before);
    await(() -> cluster.regions(table.name()).stream().anyMatch(region -> isAnew(region, before)));
    long open = System.nanoTime();
    // The master may trust the filter of before for a moment; that is not what is meant.
    await(
        () ->
            counted("publishFiltersLoaded") + counted("publishFilterRebuilds") > loaded + built
                && table.isPrecise());
    long precise = System.nanoTime();
    text.row(
        what,
        seconds(open - began),
        seconds(precise - open),
        counted("publishFiltersLoaded") - loaded,
        counted("publishFilterRebuilds") - built,
        "%,d".formatted(postingsRead(table.name()) - read));
  }

  private static boolean isAnew(HRegion region, HRegion before) {
    return region != before && region.isAvailable();
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    long began = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - began > LIMIT_NANOS) {
        throw new IOException("Cannot go on: the region does not come back");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private static long counted(String name) {
    return IndexRegistry.ofRegionServer().counter(name).getCount();
  }

  private static long postingsRead(TableName table) {
    return counted(
        MetricName.ofTable(
            table.getNamespaceAsString(), table.getQualifierAsString(), "filterPostingsRead"));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.2f", nanos / 1e9);
  }
}
