/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import com.google.protobuf.ByteString;
import io.hbaseindex.core.filter.FilterCodec;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.route.ValuePrefixes;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.protocol.IndexMasterProtos.FilterVersion;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterCopy;
import io.hbaseindex.protocol.IndexMasterProtos.ValueBounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;

/** The messages by which a copy of a table's filters is fetched. */
final class FilterMessages {
  private FilterMessages() {}

  static FiltersRequest request(RouteQuestion.Filters question) {
    FiltersRequest.Builder request =
        FiltersRequest.newBuilder()
            .setTable(question.table().getNameAsString())
            .setMaxBytes(question.maxBytes())
            .setLayout(question.layout().version())
            .setShard(question.shard());
    for (RegionCopy.Version version : question.known()) {
      if (!version.isUnique()) {
        continue; // an older master might take another filter for it, and not send that one's bits
      }
      request.addKnown(
          FilterVersion.newBuilder()
              .setServer(version.server())
              .setNumber(version.number())
              .setRegion(version.region())
              .setEpoch(version.epoch())
              .setGeneration(version.generation())
              .setPage(version.page()));
    }
    return request.build();
  }

  /**
   * Reads an answer; what is broken in it makes the whole of it useless.
   *
   * @param maxBytes bytes of bits that were asked for; at most twice as many are read
   * @throws CompletionException of an IOException, if something is broken
   */
  static FiltersReply read(FiltersResponse response, long maxBytes) {
    if (response.hasLayout()) {
      return FiltersReply.elsewhere(layout(response.getLayout()));
    }
    List<RegionCopy> regions = new ArrayList<>();
    long left = 2 * maxBytes;
    for (RegionFilterCopy region : response.getRegionList()) {
      RegionCopy copy = read(region, left);
      left -= copy.bytes();
      regions.add(copy);
    }
    return FiltersReply.of(
        regions,
        response.getComplete(),
        response.hasShape() ? OptionalLong.of(response.getShape()) : OptionalLong.empty(),
        response.getCellsMayHide());
  }

  private static RegionCopy read(RegionFilterCopy region, long maxBytes) {
    RowRange range = range(region);
    if (region.hasOpenReason() || !region.hasVersion()) {
      return RegionCopy.open(range, region.getServer(), reason(region.getOpenReason()));
    }
    RegionCopy.Version version = read(region.getVersion());
    if (!version.isUnique() && !region.hasPlanes()) {
      // An older master takes this for a filter that the client has; it need not be that one.
      return RegionCopy.open(range, region.getServer(), OpenReason.LOST);
    }
    List<IndexCoverage> coverage =
        region.getIndexList().stream()
            .map(
                index ->
                    new IndexCoverage(
                        index.getIndex(), index.getVersion(), index.getSeed(), index.getShape()))
            .toList();
    return new RegionCopy(
        range,
        region.getServer(),
        null,
        version,
        coverage,
        bounds(region),
        region.hasPlanes() ? planes(region, maxBytes) : null);
  }

  private static RegionBounds bounds(RegionFilterCopy region) {
    Map<Integer, ValuePrefixes> named = new HashMap<>();
    try {
      for (ValueBounds of : region.getBoundsList()) {
        List<byte[]> blocks = of.getBlockList().stream().map(ByteString::toByteArray).toList();
        named.put(of.getIndex(), ValuePrefixes.ofBlocks(blocks));
      }
    } catch (IllegalArgumentException e) {
      throw new CompletionException(new IOException("Cannot read a copy of filters", e));
    }
    return RegionBounds.of(named, true);
  }

  /**
   * Reads where filters are kept, as an answer has it instead of what was asked for.
   *
   * @throws CompletionException of an IOException, if it is broken
   */
  static HolderLayout layout(String text) {
    try {
      return HolderLayout.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CompletionException(new IOException("Cannot read an answer to a question", e));
    }
  }

  private static RowRange range(RegionFilterCopy region) {
    try {
      return new RowRange(region.getStartKey().toByteArray(), region.getEndKey().toByteArray());
    } catch (IllegalArgumentException e) {
      throw new CompletionException(new IOException("Cannot read a copy of filters", e));
    }
  }

  private static RegionCopy.Version read(FilterVersion version) {
    return new RegionCopy.Version(
        version.getServer(),
        version.getNumber(),
        version.getRegion(),
        version.getEpoch(),
        version.getGeneration(),
        version.getPage());
  }

  private static FilterSnapshot planes(RegionFilterCopy region, long maxBytes) {
    try {
      return FilterCodec.decodeSnapshot(region.getPlanes().toByteArray(), maxBytes);
    } catch (MalformedBlobException e) {
      throw new CompletionException(e);
    }
  }

  /** A newer master may have reasons that this client does not know. */
  private static OpenReason reason(String name) {
    for (OpenReason reason : OpenReason.values()) {
      if (reason.name().equals(name)) {
        return reason;
      }
    }
    return OpenReason.ABSENT;
  }
}
