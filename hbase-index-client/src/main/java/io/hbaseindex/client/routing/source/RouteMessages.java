/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import com.google.protobuf.ByteString;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.TableName;

/** The messages by which a route is asked for. */
final class RouteMessages {
  private RouteMessages() {}

  static RouteRequest request(TableName table, RoutePredicate predicate) {
    byte[] request =
        RouteCodec.encode(new RouteCodec.RouteRequest(table.getNameAsString(), predicate));
    return RouteRequest.newBuilder().setRequest(ByteString.copyFrom(request)).build();
  }

  static RouteSource.Answer read(RouteResponse response) {
    try {
      return new RouteSource.Answer(
          RouteCodec.decodeAnswer(response.getAnswer().toByteArray()),
          response.hasShape() ? OptionalLong.of(response.getShape()) : OptionalLong.empty(),
          response.getCellsMayHide());
    } catch (MalformedBlobException e) {
      throw new CompletionException(e);
    }
  }
}
