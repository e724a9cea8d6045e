/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import com.google.protobuf.ByteString;
import io.hbaseindex.core.filter.FilterCodec;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.protocol.IndexMasterProtos.CoveredIndex;
import io.hbaseindex.protocol.IndexMasterProtos.FilterVersion;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterCopy;
import io.hbaseindex.protocol.IndexMasterProtos.ValueBounds;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Copies the filters of a table for a client. Regions are copied one by one; each is as it is
 * trusted at some moment after the request came, which is all that a copy promises.
 */
@InterfaceAudience.Private
public final class FilterCopier {
  /** No answer carries more bits than this, whatever is asked for. */
  static final long MAX_BYTES = 64L << 20;

  private final FilterRegistry registry;

  public FilterCopier(FilterRegistry registry) {
    this.registry = registry;
  }

  /**
   * The filters that a request asks for.
   *
   * @param table what the registry calls the part of the table that is asked for
   */
  FiltersResponse.Builder copy(FiltersRequest request, String table) {
    long left = Math.min(MAX_BYTES, request.getMaxBytes());
    Set<RegionCopy.Version> known = new HashSet<>();
    request.getKnownList().forEach(version -> known.add(read(version)));
    FiltersResponse.Builder response = FiltersResponse.newBuilder();
    boolean complete = true;
    byte[] from = RowRange.ALL.start();
    while (from != null) {
      Optional<RegionCopy> next = registry.copy(table, from, known);
      if (next.isEmpty()) {
        break;
      }
      RegionCopy region = next.get();
      if (region.filter() != null) {
        left -= region.bytes();
        if (left < 0) {
          region = region.without(OpenReason.OVER_BUDGET);
          complete = false;
        }
      }
      response.addRegion(write(region));
      byte[] end = region.range().end();
      from = end.length == 0 ? null : end;
      if (!complete) {
        break;
      }
    }
    return response.setComplete(complete);
  }

  private static RegionFilterCopy write(RegionCopy region) {
    RegionFilterCopy.Builder copy =
        RegionFilterCopy.newBuilder()
            .setStartKey(ByteString.copyFrom(region.range().start()))
            .setEndKey(ByteString.copyFrom(region.range().end()))
            .setServer(region.server());
    if (region.open() != null) {
      return copy.setOpenReason(region.open().name()).build();
    }
    for (IndexCoverage index : region.coverage()) {
      copy.addIndex(
          CoveredIndex.newBuilder()
              .setIndex(index.space())
              .setVersion(index.version())
              .setSeed(index.seed())
              .setShape(index.shape()));
    }
    if (region.filter() != null) {
      region
          .bounds()
          .named()
          .forEach(
              (index, prefixes) -> {
                ValueBounds.Builder bounds = ValueBounds.newBuilder().setIndex(index);
                prefixes.blocks().forEach(block -> bounds.addBlock(ByteString.copyFrom(block)));
                copy.addBounds(bounds);
              });
      copy.setPlanes(ByteString.copyFrom(FilterCodec.encode(region.filter())));
    }
    RegionCopy.Version version = region.version();
    return copy.setVersion(
            FilterVersion.newBuilder()
                .setServer(version.server())
                .setNumber(version.number())
                .setRegion(version.region())
                .setEpoch(version.epoch())
                .setGeneration(version.generation())
                .setPage(version.page()))
        .build();
  }

  /** A client that does not name the server has no version of any filter here. */
  private static RegionCopy.Version read(FilterVersion version) {
    return new RegionCopy.Version(
        version.getServer(),
        version.getNumber(),
        version.getRegion(),
        version.getEpoch(),
        version.getGeneration(),
        version.getPage());
  }
}
