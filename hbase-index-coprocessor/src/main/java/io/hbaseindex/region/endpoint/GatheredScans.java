/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.endpoint;

import com.google.protobuf.ByteString;
import io.hbaseindex.protocol.IndexRegionProtos.GatherRange;
import io.hbaseindex.protocol.IndexRegionProtos.GatherRequest;
import io.hbaseindex.protocol.IndexRegionProtos.GatherResponse;
import io.hbaseindex.protocol.IndexRegionProtos.GatheredRange;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.RegionMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the first results of one scan in one or several regions of a server, for one call. Where
 * regions have a few rows each, it is the number of calls that a query costs, and a call that opens
 * no scanner to be kept is cheaper than one that does.
 *
 * <p>Each region is scanned as if HBase had been asked for it alone ({@link HookedScan}). A call
 * has little time: regions that it does not get to are left to the caller, and so are those that
 * are not here, or that fail, for whatever reason: the ordinary scan shows it. On servers that
 * limit their users by quotas the call is refused, since HBase would not count it.
 */
final class GatheredScans {
  private static final Logger LOG = LoggerFactory.getLogger(GatheredScans.class);

  static final long MOST_BYTES = 2L << 20;
  static final long MOST_BYTES_OF_REGION = 256L << 10;
  static final long MOST_MILLIS = 50;

  private final RegionCoprocessorEnvironment env;
  private final RegionMetrics metrics;
  private final LongSupplier clock;
  private final boolean quotas;

  /**
   * @param env of any region of the table on this server
   * @param clock HBase's, in milliseconds: scanners look at it
   */
  GatheredScans(RegionCoprocessorEnvironment env, RegionMetrics metrics, LongSupplier clock) {
    this.env = env;
    this.metrics = metrics;
    this.clock = clock;
    this.quotas = QuotaUtil.isQuotaEnabled(env.getConfiguration());
  }

  GatherResponse read(GatherRequest request) throws IOException {
    if (quotas) {
      throw new DoNotRetryIOException(
          "Cannot read several regions by one call: HBase's quotas would not count it");
    }
    GatherResponse.Builder response = GatherResponse.newBuilder();
    RegionsHere regions = new RegionsHere();
    Question question = new Question(request.getScan());
    long deadline = clock.getAsLong() + MOST_MILLIS;
    long bytes = 0;
    for (GatherRange range : request.getRangeList()) {
      boolean enough = bytes >= MOST_BYTES || clock.getAsLong() >= deadline;
      GatheredRange read =
          enough ? unread() : read(regions, question.within(range), request, deadline);
      bytes += read.getData().size();
      response.addRange(read);
    }
    return response.build();
  }

  /** The regions of the table on this server. */
  private final class RegionsHere {
    /** By their start keys; null until another than the one that was called is wanted. */
    private NavigableMap<byte[], HRegion> all;

    /** The region that has all of a scan's rows. */
    Optional<HRegion> regionOf(Scan scan) throws IOException {
      if (hasAll(env.getRegion(), scan)) {
        return Optional.of((HRegion) env.getRegion());
      }
      if (all == null) {
        all = here();
      }
      return Optional.ofNullable(all.floorEntry(scan.getStartRow()))
          .map(Map.Entry::getValue)
          .filter(region -> hasAll(region, scan));
    }

    /** HBase goes through all regions of the server for that. */
    private NavigableMap<byte[], HRegion> here() throws IOException {
      NavigableMap<byte[], HRegion> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      for (Region region : env.getOnlineRegions().getRegions(env.getRegionInfo().getTable())) {
        if (isPrimary(region)) {
          regions.put(region.getRegionInfo().getStartKey(), (HRegion) region);
        }
      }
      return regions;
    }
  }

  private static boolean isPrimary(Region region) {
    return region.getRegionInfo().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID;
  }

  private static boolean hasAll(Region region, Scan scan) {
    byte[] start = region.getRegionInfo().getStartKey();
    byte[] end = region.getRegionInfo().getEndKey();
    return isPrimary(region)
        && Bytes.compareTo(start, scan.getStartRow()) <= 0
        && (end.length == 0
            || scan.getStopRow().length > 0
                && Bytes.compareTo(scan.getStopRow(), end) < (scan.includeStopRow() ? 0 : 1));
  }

  /** The scan of a call, whose message is read once. */
  private static final class Question {
    private final Scan anywhere;
    private final Optional<FilterProtos.Filter> filter;

    Question(ByteString message) throws IOException {
      ClientProtos.Scan all = ClientProtos.Scan.parseFrom(message.toByteArray());
      filter = all.hasFilter() ? Optional.of(all.getFilter()) : Optional.empty();
      anywhere = ProtobufUtil.toScan(all.toBuilder().clearFilter().build());
    }

    /** The scan of one region, with a filter of its own: filters remember what they have seen. */
    Scan within(GatherRange range) throws IOException {
      Scan scan =
          new Scan(anywhere)
              .withStartRow(range.getStart().toByteArray(), range.getIncludeStart())
              .withStopRow(range.getStop().toByteArray(), range.getIncludeStop());
      if (filter.isPresent()) {
        scan.setFilter(ProtobufUtil.toFilter(filter.get()));
      }
      return scan;
    }
  }

  private GatheredRange read(RegionsHere regions, Scan scan, GatherRequest request, long deadline)
      throws IOException {
    Optional<HRegion> region = regions.regionOf(scan);
    if (region.isEmpty()) {
      return unread();
    }
    int limit = request.getLimit();
    int rows = smallest(limit, request.getCaching());
    HookedScan visit = new HookedScan(region.get(), rows, MOST_BYTES_OF_REGION, deadline, clock);
    try {
      GatheredRange read =
          visit.read(
              scan,
              (results, ended) -> message(results, ended || limit > 0 && results.size() >= limit));
      metrics.add(IndexCounter.SCANS_GATHERED, 1);
      return read;
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} is left to an ordinary scan", region.get(), e);
      return unread();
    }
  }

  private static GatheredRange unread() {
    return GatheredRange.newBuilder().setComplete(false).build();
  }

  private static int smallest(int limit, int caching) {
    int one = limit > 0 ? limit : Integer.MAX_VALUE;
    int other = caching > 0 ? caching : Integer.MAX_VALUE;
    return Math.min(one, other);
  }

  /** To be made while the scanner is open: cells may be in memory that it gives back. */
  private static GatheredRange message(List<Result> results, boolean complete) throws IOException {
    GatheredRange.Builder message = GatheredRange.newBuilder().setComplete(complete);
    ByteString.Output out = ByteString.newOutput();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out); // tags are not for clients
    for (Result result : results) {
      message.addCells(result.size());
      for (Cell cell : result.rawCells()) {
        encoder.write(cell);
      }
    }
    encoder.flush();
    return message.setData(out.toByteString()).build();
  }
}
