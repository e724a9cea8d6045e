/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.mapreduce;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link TableInputFormat} without splits for the regions that cannot hold a row that the scan's
 * filter lets pass. In the regions that are left the scan jumps by the region's own index.
 *
 * <p>It takes the place of {@link TableInputFormat} and is configured like it:
 *
 * <pre>{@code
 * TableMapReduceUtil.initTableMapperJob(
 *     "people", scan, Mapper.class, Text.class, Text.class, job, true, RoutedTableInputFormat.class);
 * }</pre>
 *
 * From Spark: {@code sc.newAPIHadoopRDD(conf, RoutedTableInputFormat.class,
 * ImmutableBytesWritable.class, Result.class)}.
 *
 * <p>Every row that was written before {@link #getSplits} was called is found. Rows written later,
 * while the job waits or runs, may be missed if they lie in a region that had no such row. A scan
 * that no index serves, a master that does not answer, or a region whose filter is not trusted at
 * the moment cost splits and never rows.
 */
@InterfaceAudience.Public
public class RoutedTableInputFormat extends TableInputFormat {
  /** Milliseconds that the master may take to answer; after that all regions are read. */
  public static final String ROUTE_TIMEOUT_MS = "hbaseindex.mapreduce.route-timeout-ms";

  private static final int DEFAULT_ROUTE_TIMEOUT_MILLIS = 10_000;

  private CandidateRegions candidates = CandidateRegions.ALL;

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    candidates =
        CandidateRegions.ask(
            conf,
            conf.get(INPUT_TABLE),
            getScan(),
            conf.getInt(ROUTE_TIMEOUT_MS, DEFAULT_ROUTE_TIMEOUT_MILLIS));
    return super.getSplits(context);
  }

  @Override
  protected boolean includeRegionInSplit(byte[] startKey, byte[] endKey) {
    return candidates.include(startKey, endKey);
  }
}
