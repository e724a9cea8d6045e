/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.ResultSerialization;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.mapreduce.Job;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** MapReduce tools read an indexed table as if it had no family of postings. */
@OnSharedCluster
class MapReduceIT {

  private static final int ROWS = 40;

  private static TestCluster cluster;
  private static IndexedTable people;

  @BeforeAll
  static void fill(TestCluster shared) throws IOException {
    cluster = shared;
    people = IndexedTable.create(cluster, "r20");
    for (int i = 0; i < ROWS; i++) {
      people.put("r%02d".formatted(i), "e%02d".formatted(i), i % 2 == 0 ? "Oslo" : "Rome");
    }
    people.probe().awaitReady();
  }

  @AfterAll
  static void drop() throws IOException {
    people.close();
  }

  @Test
  void rowCounter_countsDataRows() throws Exception {
    Job job = RowCounter.createSubmittableJob(jobConfiguration(), new String[] {tableName()});

    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(
            job.getCounters()
                .findCounter(
                    "org.apache.hadoop.hbase.mapreduce.RowCounter$RowCounterMapper$Counters",
                    "ROWS")
                .getValue())
        .isEqualTo(ROWS);
  }

  @Test
  void export_writesDataCellsOnly() throws Exception {
    Path out = new Path(cluster.utility().getDataTestDirOnTestFS(), "export");
    Configuration conf = jobConfiguration();
    Job job = Export.createSubmittableJob(conf, new String[] {tableName(), out.toString()});

    assertThat(job.waitForCompletion(false)).isTrue();

    List<Cell> cells = readExport(conf, out);
    assertThat(cells).hasSize(2 * ROWS);
    assertThat(cells)
        .extracting(cell -> Bytes.toString(CellUtil.cloneFamily(cell)))
        .containsOnly("f");
  }

  private static List<Cell> readExport(Configuration conf, Path out) throws IOException {
    conf.setStrings(
        "io.serializations",
        ResultSerialization.class.getName(),
        WritableSerialization.class.getName());
    List<Cell> cells = new ArrayList<>();
    for (FileStatus file : FileSystem.get(conf).globStatus(new Path(out, "part-*"))) {
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(conf, SequenceFile.Reader.file(file.getPath()))) {
        while (reader.next(new ImmutableBytesWritable())) {
          cells.addAll(((Result) reader.getCurrentValue((Object) null)).listCells());
        }
      }
    }
    return cells;
  }

  /** Jobs run inside this JVM; the cluster has no job tracker. */
  private static Configuration jobConfiguration() {
    Configuration conf = new Configuration(cluster.configuration());
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", cluster.utility().getDataTestDir("mapreduce").toString());
    return conf;
  }

  private static String tableName() {
    return people.name().getNameAsString();
  }
}
