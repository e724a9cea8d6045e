/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.route.RowRange;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALSplitUtil;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the incarnation of a region that has just opened.
 *
 * <p>Its epoch is HBase's open sequence number. An open takes the number behind the highest one
 * that it finds in the region's files, in its log, and in the name of a file that each open and
 * close leaves behind. A server that dies before anything was written to the region leaves no more
 * than its own open did, and the next open would get the same number once more. So the number is
 * noted, in that file's name, as taken.
 */
@InterfaceAudience.Private
public final class OpenedRegion {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedRegion.class);

  private final HRegion region;
  private final Path log;
  private final FileSystem files;

  private OpenedRegion(HRegion region, Configuration server) throws IOException {
    RegionInfo info = region.getRegionInfo();
    this.region = region;
    this.log = CommonFSUtils.getWALRegionDir(server, info.getTable(), info.getEncodedName());
    this.files = log.getFileSystem(server);
  }

  /**
   * The incarnation of an open region, whose epoch no later one will have.
   *
   * @param server the region server's own configuration
   */
  public static RegionIncarnation incarnation(
      RegionCoprocessorEnvironment env, Configuration server) throws IOException {
    RegionInfo info = env.getRegionInfo();
    OpenedRegion opened = new OpenedRegion((HRegion) env.getRegion(), server);
    long epoch = opened.sequenceNumber();
    opened.take(epoch);
    return new RegionIncarnation(
        info.getTable().getNameAsString(),
        info.getEncodedName(),
        info.getRegionId(),
        epoch,
        new RowRange(info.getStartKey(), info.getEndKey()));
  }

  /**
   * HBase sets the region's own field only after its post-open hooks, but has written the number to
   * the file that the next open starts from.
   */
  private long sequenceNumber() throws IOException {
    return region.getOpenSeqNum() == HConstants.NO_SEQNUM
        ? WALSplitUtil.getMaxRegionSequenceId(files, log) + 1
        : region.getOpenSeqNum();
  }

  /** Never fatal: without the note all is as HBase has it. */
  private void take(long epoch) {
    try {
      if (WALSplitUtil.getMaxRegionSequenceId(files, log) < epoch) {
        WALSplitUtil.writeRegionSequenceIdFile(files, log, epoch);
      }
    } catch (IOException e) {
      LOG.warn(
          "Cannot note that {} was opened with number {}; if its server dies before it is written to, the next"
              + " open has the same number",
          region.getRegionInfo().getRegionNameAsString(),
          epoch,
          e);
    }
  }
}
