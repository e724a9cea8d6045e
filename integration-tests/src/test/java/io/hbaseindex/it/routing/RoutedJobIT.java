/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.mapreduce.RoutedTableInputFormat;
import io.hbaseindex.it.cluster.IndexCounters;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.region.metrics.IndexCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A job reads only the regions that can hold what it looks for. */
@OnSharedCluster
class RoutedJobIT {
  private static final int REGIONS = 6;

  private static TestCluster cluster;
  private static RoutingTable table;

  @BeforeAll
  static void fill(TestCluster shared) throws Exception {
    cluster = shared;
    table = RoutingTable.create(cluster, "d", "h", "m", "r", "w");
    for (char row = 'a'; row <= 'z'; row++) {
      table.put(row + "1", row + "1@example.org");
      table.put(row + "2", "shared@example.org");
    }
    table.awaitPrecise();
  }

  @AfterAll
  static void drop() throws IOException {
    table.close();
  }

  @Test
  void uniqueValue_readsOneRegion_andFindsTheRow() throws Exception {
    Job job = job(RoutingTable.byEmail("k1@example.org"), "unique");
    long before = regionsScanned();

    assertThat(splits(job)).hasSize(1);
    assertThat(rowsOf(job, "unique")).containsExactly("k1");

    assertThat(regionsScanned() - before).isEqualTo(1);
  }

  @Test
  void absentValue_readsNoRegion_andTheJobSucceeds() throws Exception {
    Job job = job(RoutingTable.byEmail("nobody@example.org"), "absent");
    long before = regionsScanned();

    assertThat(splits(job)).isEmpty();
    assertThat(rowsOf(job, "absent")).isEmpty();

    assertThat(regionsScanned() - before).isZero();
  }

  @Test
  void valueInEveryRegion_findsEveryRow() throws Exception {
    Job job = job(RoutingTable.byEmail("shared@example.org"), "shared");

    assertThat(splits(job)).hasSize(REGIONS);
    assertThat(rowsOf(job, "shared")).hasSize(26);
  }

  @Test
  void scanThatNoIndexServes_readsEveryRegion() throws Exception {
    Job job = job(new Scan(), "all");

    assertThat(splits(job)).hasSize(REGIONS);
    assertThat(rowsOf(job, "all")).hasSize(52);
  }

  @Test
  void severalMappersPerRegion_areStillPruned() throws Exception {
    Job job = job(RoutingTable.byEmail("k1@example.org"), "many");
    job.getConfiguration().setInt("hbase.mapreduce.tableinput.mappers.per.region", 2);

    assertThat(splits(job)).hasSize(2);
    assertThat(rowsOf(job, "many")).containsExactly("k1");
  }

  private static List<InputSplit> splits(Job job) throws IOException {
    return ReflectionUtils.newInstance(RoutedTableInputFormat.class, job.getConfiguration())
        .getSplits(job);
  }

  /** Scans that regions have begun, by the index or without; reads of their own do not count. */
  private static long regionsScanned() throws IOException {
    IndexCounters counted = IndexCounters.of(table.name());
    return counted.get(IndexCounter.SCANS_JUMPED) + counted.get(IndexCounter.SCANS_PLAIN);
  }

  /** Jobs run inside this JVM; the cluster has no job tracker. */
  private static Job job(Scan scan, String output) throws IOException {
    Configuration conf = new Configuration(cluster.configuration());
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", cluster.utility().getDataTestDir("mapreduce").toString());
    Job job = Job.getInstance(conf, output);
    TableMapReduceUtil.initTableMapperJob(
        table.name().getNameAsString(),
        scan,
        RowNames.class,
        Text.class,
        NullWritable.class,
        job,
        false,
        RoutedTableInputFormat.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(TextOutputFormat.class);
    TextOutputFormat.setOutputPath(job, outputPath(output));
    return job;
  }

  private static List<String> rowsOf(Job job, String output) throws Exception {
    assertThat(job.waitForCompletion(false)).isTrue();
    List<String> rows = new ArrayList<>();
    FileSystem files = FileSystem.get(job.getConfiguration());
    for (var part : files.globStatus(new Path(outputPath(output), "part-*"))) {
      try (var in = files.open(part.getPath())) {
        new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(rows::add);
      }
    }
    return rows;
  }

  private static Path outputPath(String output) throws IOException {
    return new Path(cluster.utility().getDataTestDirOnTestFS(), "routed-job-" + output);
  }

  /** Writes the key of each row it is given. */
  static final class RowNames extends TableMapper<Text, NullWritable> {
    @Override
    protected void map(ImmutableBytesWritable row, Result result, Context context)
        throws IOException, InterruptedException {
      context.write(new Text(Bytes.toString(result.getRow())), NullWritable.get());
    }
  }
}
