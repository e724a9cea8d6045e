/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import io.hbaseindex.core.filter.FilterChanges;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.ApplyPage;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.StageChunk;
import io.hbaseindex.core.push.SegmentPiece;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.wire.PushCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.client.Connection;

/** Says things to the master that no region server would say, in a region server's name. */
final class ForgedRegion {
  private static final List<IndexCoverage> COVERAGE = List.of(new IndexCoverage(1, 1, 7, 0));

  private final MasterCalls master;
  private final String server;
  private long number;

  ForgedRegion(Connection connection, String server) {
    this.master = new MasterCalls(connection);
    this.server = server;
  }

  /** A region of a table that does not exist. */
  RegionIncarnation incarnation(long id) {
    return incarnation("ghost" + id, id);
  }

  static RegionIncarnation incarnation(String table, long id) {
    return new RegionIncarnation(table, "forged" + id, id, 1, RowRange.ALL);
  }

  /** The same region as it was opened once before. */
  static RegionIncarnation before(RegionIncarnation region) {
    return new RegionIncarnation(
        region.table(),
        region.encodedName(),
        region.regionId(),
        region.epoch() - 1,
        region.range());
  }

  LeaseToken token() throws IOException {
    return master.push(new Push(server, ++number, null, 0, List.of())).token();
  }

  /** Sends a message and returns the verdict. */
  String send(RegionMessage message) throws IOException {
    return send(message, null);
  }

  String send(RegionMessage message, LeaseToken token) throws IOException {
    return master
        .push(new Push(server, ++number, token, 0, List.of(message)))
        .replies()
        .get(0)
        .verdict()
        .name();
  }

  StageChunk emptyFilter(int region, long generation) {
    SegmentPiece empty =
        new SegmentPiece(0, FilterGeometry.doubling(16, 1e-4).sizeClass(0, 0), 0, new long[0]);
    return new StageChunk(region, generation, 0, true, COVERAGE, List.of(empty));
  }

  /** A page about a segment that the filter does not have. */
  ApplyPage damagingPage(int region, long generation) {
    FilterChanges changes = new FilterChanges();
    changes.bitSet(77, 3);
    return new ApplyPage(region, generation, 1, changes);
  }

  // ---- bytes ----

  static byte[] aPush(String server) {
    return PushCodec.encode(new Push(server, 1, null, 0, List.of(new ReleaseRegion(900_000))));
  }

  static byte[] cutShort(byte[] blob) {
    return Arrays.copyOf(blob, blob.length - 5);
  }

  static byte[] withFlippedBit(byte[] blob) {
    byte[] flipped = blob.clone();
    flipped[blob.length / 2] ^= 4;
    return flipped;
  }

  /** The blob as a later release might write it: another version, with a right checksum. */
  static byte[] ofFutureVersion(byte[] blob) {
    ByteBuffer bytes = ByteBuffer.wrap(blob.clone());
    bytes.putShort(4, (short) 99);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.array(), 0, blob.length - Integer.BYTES);
    bytes.putInt(blob.length - Integer.BYTES, (int) checksum.getValue());
    return bytes.array();
  }
}
