/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.hbaseindex.common.master.ReceivedMessage;
import io.hbaseindex.core.format.Blob;
import io.hbaseindex.core.format.BlobKind;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.testing.FuzzTarget;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RegionFilterCopy;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/**
 * Any answer to a route or to a request for filters, as a region passes it on: the first byte
 * chooses which. Blobs in the message are sealed, as a hostile writer would.
 */
public class RouteQuestionFuzzTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final long MAX_BYTES = 1 << 16;
  private static final RouteQuestion.Route ROUTE =
      new RouteQuestion.Route(TABLE, new RoutePredicate.Element(new IndexCoverage(1, 1, 1, 1), 1));
  private static final RouteQuestion.Filters FILTERS =
      new RouteQuestion.Filters(TABLE, Set.of(), MAX_BYTES);

  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] message = Arrays.copyOfRange(data, 1, data.length);
    if ((data[0] & 1) == 0) {
      FuzzTarget.run(data, IOException.class, () -> readRoute(message));
    } else {
      FuzzTarget.run(data, 4 * MAX_BYTES, IOException.class, () -> readFilters(message));
    }
  }

  private static void readRoute(byte[] message) throws IOException {
    ByteString answer = route(message);
    refusing(() -> ROUTE.read(answer)).route().candidates();
  }

  private static void readFilters(byte[] message) throws IOException {
    ByteString answer = filters(message);
    FiltersReply reply = refusing(() -> FILTERS.read(answer));
    long bytes =
        reply.shards().stream()
            .flatMap(List::stream)
            .filter(region -> region.filter() != null)
            .mapToLong(region -> region.filter().planeBytes())
            .sum();
    assertThat(bytes).isLessThanOrEqualTo(2 * MAX_BYTES);
  }

  /** Futures wrap what stages throw: readers of answers may throw it wrapped. */
  private static <T> T refusing(Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException refusal) {
        throw refusal;
      }
      throw e;
    }
  }

  private interface Reading<T> {
    T read() throws IOException;
  }

  private static ByteString route(byte[] message) throws IOException {
    RouteResponse response =
        ReceivedMessage.read(
            "a route", ByteString.copyFrom(message), RouteResponse.getDefaultInstance());
    byte[] body = response.getAnswer().toByteArray();
    ByteString sealed = ByteString.copyFrom(Blob.seal(BlobKind.ROUTE_ANSWER, body));
    return response.toBuilder().setAnswer(sealed).build().toByteString();
  }

  private static ByteString filters(byte[] message) throws IOException {
    FiltersResponse.Builder response =
        ReceivedMessage.read(
            "filters", ByteString.copyFrom(message), FiltersResponse.getDefaultInstance())
            .toBuilder();
    for (RegionFilterCopy.Builder region : response.getRegionBuilderList()) {
      if (region.hasPlanes()) {
        byte[] body = region.getPlanes().toByteArray();
        region.setPlanes(ByteString.copyFrom(Blob.seal(BlobKind.FILTER_PLANES, body)));
      }
    }
    return response.build().toByteString();
  }

  @Test
  void corpus_isReadOrRefused() {
    FuzzTarget.replay("route-question", RouteQuestionFuzzTest::fuzzerTestOneInput);
  }
}
