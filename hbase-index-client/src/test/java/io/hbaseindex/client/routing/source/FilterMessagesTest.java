/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.hbaseindex.core.filter.FilterChangeListener;
import io.hbaseindex.core.filter.FilterCodec;
import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.ScalableSplitCountingBloomFilter;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.ValuePrefixes;
import io.hbaseindex.protocol.IndexMasterProtos.FilterVersion;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterCopy;
import io.hbaseindex.protocol.IndexMasterProtos.ValueBounds;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class FilterMessagesTest {
  private static final long MAX_BYTES = 1 << 20;

  private static RegionCopy read(FilterVersion.Builder version, boolean planes) {
    RegionFilterCopy.Builder region =
        RegionFilterCopy.newBuilder()
            .setStartKey(ByteString.EMPTY)
            .setEndKey(ByteString.EMPTY)
            .setServer("s,1,1")
            .setVersion(version);
    if (planes) {
      ScalableSplitCountingBloomFilter filter =
          new ScalableSplitCountingBloomFilter(
              FilterGeometry.standard(), FilterChangeListener.NONE);
      filter.insert(1);
      region.setPlanes(ByteString.copyFrom(FilterCodec.encode(filter.snapshot())));
    }
    FiltersResponse response = FiltersResponse.newBuilder().addRegion(region).build();
    return FilterMessages.read(response, MAX_BYTES).shards().get(0).get(0);
  }

  private static FilterVersion.Builder older() {
    return FilterVersion.newBuilder().setRegion("r").setEpoch(2).setGeneration(3).setPage(4);
  }

  /** A few bytes can describe a large plane of zeros, and an answer can have many of them. */
  @Test
  void planes_ofAllRegions_shareTheLimit() {
    byte[] planes =
        FilterCodec.encode(
            new ScalableSplitCountingBloomFilter(
                    FilterGeometry.standard(), FilterChangeListener.NONE, 1_000, 10)
                .snapshot());
    FiltersResponse.Builder response = FiltersResponse.newBuilder();
    for (int region = 0; region < 1_000; region++) {
      response.addRegion(
          RegionFilterCopy.newBuilder()
              .setStartKey(ByteString.copyFrom(new byte[] {(byte) region}))
              .setEndKey(ByteString.EMPTY)
              .setServer("s,1,1")
              .setVersion(older().setServer("s,1,1"))
              .setPlanes(ByteString.copyFrom(planes)));
    }

    assertThatThrownBy(() -> FilterMessages.read(response.build(), 100_000))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(MalformedBlobException.class)
        .hasMessageContaining("the limit is");
  }

  @Test
  void bounds_ofIndexesThatAreNotThere_areAny() {
    ValuePrefixes prefixes = ValuePrefixes.whole(List.of(new byte[] {5}, new byte[] {5, 1}));
    RegionFilterCopy region =
        RegionFilterCopy.newBuilder()
            .setStartKey(ByteString.EMPTY)
            .setEndKey(ByteString.EMPTY)
            .setServer("s,1,1")
            .setVersion(older().setServer("s,1,1"))
            .addBounds(
                ValueBounds.newBuilder()
                    .setIndex(1)
                    .addBlock(ByteString.copyFrom(prefixes.blocks().get(0))))
            .addBounds(ValueBounds.newBuilder().setIndex(2))
            .build();
    RegionBounds bounds =
        FilterMessages.read(FiltersResponse.newBuilder().addRegion(region).build(), MAX_BYTES)
            .shards()
            .get(0)
            .get(0)
            .bounds();

    assertThat(bounds.of(1)).isEqualTo(prefixes);
    assertThat(bounds.of(2)).isEqualTo(ValuePrefixes.NOTHING);
    assertThat(bounds.of(3)).isEqualTo(ValuePrefixes.EVERYTHING);
  }

  @Test
  void bounds_thatMakeNoSense_areRefused() {
    RegionFilterCopy region =
        RegionFilterCopy.newBuilder()
            .setStartKey(ByteString.EMPTY)
            .setEndKey(ByteString.EMPTY)
            .setServer("s,1,1")
            .setVersion(older().setServer("s,1,1"))
            .addBounds(
                ValueBounds.newBuilder()
                    .setIndex(1)
                    .addBlock(ByteString.copyFrom(new byte[] {3, 1})))
            .build();
    FiltersResponse response = FiltersResponse.newBuilder().addRegion(region).build();
    assertThatThrownBy(() -> FilterMessages.read(response, MAX_BYTES))
        .isInstanceOf(CompletionException.class)
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void range_thatEndsBeforeItStarts_isRefused() {
    FiltersResponse response =
        FiltersResponse.newBuilder()
            .addRegion(
                RegionFilterCopy.newBuilder()
                    .setStartKey(ByteString.copyFromUtf8("b"))
                    .setEndKey(ByteString.copyFromUtf8("a"))
                    .setServer("s,1,1"))
            .build();

    assertThatThrownBy(() -> FilterMessages.read(response, MAX_BYTES))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void version_readAndSentBack_isTheSame() {
    FilterVersion sent = older().setServer("s,1,1").setNumber(7).build();
    RegionCopy copy = read(sent.toBuilder(), false);

    assertThat(copy.version()).isEqualTo(new RegionCopy.Version("s,1,1", 7, "r", 2, 3, 4));
    assertThat(
            FilterMessages.request(
                    new RouteQuestion.Filters(
                        TableName.valueOf("t"), Set.of(copy.version()), MAX_BYTES))
                .getKnownList())
        .containsExactly(sent);
  }

  @Test
  void version_ofAMasterThatNamesNoServer_isNotSentBack() {
    RegionCopy copy = read(older(), true);

    assertThat(copy.filter()).isNotNull();
    assertThat(
            FilterMessages.request(
                    new RouteQuestion.Filters(
                        TableName.valueOf("t"), Set.of(copy.version()), MAX_BYTES))
                .getKnownList())
        .isEmpty();
  }

  @Test
  void copyWithoutBits_ofAMasterThatNamesNoServer_isOpen() {
    assertThat(read(older(), false).open()).isEqualTo(OpenReason.LOST);
  }
}
