/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import com.google.protobuf.ByteString;
import com.google.protobuf.ServiceException;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.wire.PushCodec;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.PushRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** Calls of the master's service as anybody could make them, with well-formed bytes or others. */
final class MasterCalls {
  private final Connection connection;

  MasterCalls(Connection connection) {
    this.connection = connection;
  }

  PushReply push(Push push) throws IOException {
    return PushCodec.decodeReply(push(PushCodec.encode(push)));
  }

  byte[] push(byte[] blob) throws IOException {
    PushRequest request = PushRequest.newBuilder().setPush(ByteString.copyFrom(blob)).build();
    try (Admin admin = connection.getAdmin()) {
      return IndexMasterService.newBlockingStub(admin.coprocessorService())
          .push(null, request)
          .getReply()
          .toByteArray();
    } catch (ServiceException e) {
      throw causeOf(e);
    }
  }

  RouteAnswer route(TableName table, RoutePredicate predicate) throws IOException {
    byte[] blob =
        RouteCodec.encode(new RouteCodec.RouteRequest(table.getNameAsString(), predicate));
    return RouteCodec.decodeAnswer(route(blob));
  }

  /** Asks a holder that is not the master. */
  RouteAnswer routeAtHolder(
      HolderLayout layout, int shard, TableName table, RoutePredicate predicate)
      throws IOException {
    byte[] blob =
        RouteCodec.encode(new RouteCodec.RouteRequest(table.getNameAsString(), predicate));
    RouteRequest request =
        RouteRequest.newBuilder()
            .setRequest(ByteString.copyFrom(blob))
            .setLayout(layout.version())
            .setShard(shard)
            .build();
    int holder = layout.places(table.getNameAsString()).get(shard).holder();
    try (Table holders = connection.getTable(HoldersTable.NAME)) {
      return RouteCodec.decodeAnswer(
          service(holders, holder).route(null, request).getAnswer().toByteArray());
    } catch (ServiceException e) {
      throw causeOf(e);
    }
  }

  void pushToHolder(int holder, Push push) throws IOException {
    PushRequest request =
        PushRequest.newBuilder().setPush(ByteString.copyFrom(PushCodec.encode(push))).build();
    try (Table holders = connection.getTable(HoldersTable.NAME)) {
      service(holders, holder).push(null, request);
    } catch (ServiceException e) {
      throw causeOf(e);
    }
  }

  private static IndexMasterService.BlockingInterface service(Table holders, int holder) {
    return IndexMasterService.newBlockingStub(
        holders.coprocessorService(HoldersTable.rowOf(holder)));
  }

  byte[] route(byte[] blob) throws IOException {
    RouteRequest request = RouteRequest.newBuilder().setRequest(ByteString.copyFrom(blob)).build();
    try (Admin admin = connection.getAdmin()) {
      return IndexMasterService.newBlockingStub(admin.coprocessorService())
          .route(null, request)
          .getAnswer()
          .toByteArray();
    } catch (ServiceException e) {
      throw causeOf(e);
    }
  }

  private static IOException causeOf(ServiceException e) {
    return e.getCause() instanceof IOException cause ? cause : new IOException(e);
  }
}
