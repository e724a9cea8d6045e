/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.publish.PublishLimits;
import io.hbaseindex.core.publish.PublishedRegion;
import io.hbaseindex.core.publish.ServerPublisher;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionNumbers;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.registry.RegistryLimits;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.route.ValuePrefixes;
import io.hbaseindex.core.time.MachineClock;
import io.hbaseindex.protocol.IndexMasterProtos.FilterVersion;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterCopy;
import io.hbaseindex.protocol.IndexMasterProtos.ValueBounds;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FilterCopierTest {
  private static final LeaseTerms TERMS = LeaseTerms.standard();

  private long now;
  private final MachineClock clock =
      MachineClock.of(() -> now, () -> TimeUnit.NANOSECONDS.toMillis(now));
  private final FilterRegistry registry =
      new FilterRegistry(
          1, clock, TERMS, RegistryLimits.ofBytes(1 << 20), server -> true, now -> true);
  private static final ValuePrefixes PREFIXES = ValuePrefixes.whole(List.of(new byte[] {5}));

  private final FilterCopier copies = new FilterCopier(registry);

  @BeforeEach
  void publish() {
    ServerPublisher publisher =
        new ServerPublisher("s,1,1", new RegionNumbers(7), clock, TERMS, PublishLimits.standard());
    PublishedRegion region =
        publisher.open(
            new RegionIncarnation("t", "r", 1, 1, RowRange.ALL), FilterGeometry.standard());
    region.startRebuild(1);
    region.completeRebuild(
        List.of(new IndexCoverage(1, 1, 7, 0)), RegionBounds.of(Map.of(1, PREFIXES), true));
    while (!region.status().trusted()) {
      publisher.poll().ifPresent(push -> publisher.onReply(registry.apply(push)));
      now += TERMS.heartbeatNanos() / 4;
    }
  }

  private RegionFilterCopy copy(FilterVersion... known) {
    FiltersRequest request =
        FiltersRequest.newBuilder()
            .setTable("t")
            .setMaxBytes(1 << 20)
            .addAllKnown(List.of(known))
            .build();
    return copies.copy(request, request.getTable()).getRegion(0);
  }

  @Test
  void knownVersion_comesWithoutItsBitsAndBounds() {
    RegionFilterCopy first = copy();
    assertThat(first.hasPlanes()).isTrue();
    assertThat(first.getBoundsList())
        .singleElement()
        .isEqualTo(
            ValueBounds.newBuilder()
                .setIndex(1)
                .addBlock(ByteString.copyFrom(PREFIXES.blocks().get(0)))
                .build());
    assertThat(first.getVersion().getServer()).isEqualTo("s,1,1");

    RegionFilterCopy second = copy(first.getVersion());
    assertThat(second.hasPlanes()).isFalse();
    assertThat(second.getBoundsList()).isEmpty();
    assertThat(second.getVersion()).isEqualTo(first.getVersion());
  }

  @Test
  void knownVersion_ofAnotherNumber_comesWithItsBits() {
    FilterVersion version = copy().getVersion();
    assertThat(copy(version.toBuilder().setNumber(version.getNumber() + 1).build()).hasPlanes())
        .isTrue();
  }

  @Test
  void knownVersion_ofAClientThatNamesNoServer_comesWithItsBits() {
    FilterVersion version = copy().getVersion();
    assertThat(copy(version.toBuilder().clearServer().clearNumber().build()).hasPlanes()).isTrue();
  }
}
