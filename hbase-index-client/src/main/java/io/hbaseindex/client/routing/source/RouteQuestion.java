/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.master.ReceivedMessage;
import io.hbaseindex.core.format.MalformedBlobException;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.ShardPlace;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.RouteRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexRegionProtos.RelayedQuestion;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A question of a router to the master: what is sent either way, directly or through a region, and
 * how the answer is read.
 *
 * @param <T> the answer
 */
@InterfaceAudience.Private
public sealed interface RouteQuestion<T> {
  /** The table that is asked about. */
  TableName table();

  /** Whether the answer may have many megabytes, so that it may take long to come. */
  default boolean isLarge() {
    return false;
  }

  /** The number of the holder that is asked; the master for most questions. */
  default int holder() {
    return ShardPlace.MASTER;
  }

  /** Asks the master directly. */
  CompletableFuture<T> askMaster(AsyncAdmin admin);

  /** Asks a holder that is not the master. */
  default CompletableFuture<T> askHolder(AsyncTable<?> holders) {
    throw new IllegalStateException("Cannot ask a holder: this is a question for the master");
  }

  /** What kind of question a region is to pass on. */
  RelayedQuestion relayed();

  /** The message that a region is to pass on. */
  ByteString request();

  /** Reads the answer that a region has passed on. */
  T read(ByteString answer) throws IOException;

  /** The answer for a table without indexes, whose regions have nobody who could pass it on. */
  CompletableFuture<T> answerWithoutIndexes();

  /** The table's descriptor as it is now. */
  record Descriptor(TableName table) implements RouteQuestion<TableDescriptor> {
    @Override
    public CompletableFuture<TableDescriptor> askMaster(AsyncAdmin admin) {
      return admin.getDescriptor(table);
    }

    @Override
    public RelayedQuestion relayed() {
      return RelayedQuestion.TABLE;
    }

    @Override
    public ByteString request() {
      return ByteString.EMPTY;
    }

    @Override
    public TableDescriptor read(ByteString answer) throws IOException {
      try {
        return TableDescriptorBuilder.parseFrom(answer.toByteArray());
      } catch (DeserializationException | RuntimeException e) {
        throw new IOException("Cannot read the descriptor of " + table, e);
      }
    }

    /** A descriptor that declares no index; no scan of the table is routed. */
    @Override
    public CompletableFuture<TableDescriptor> answerWithoutIndexes() {
      return CompletableFuture.completedFuture(TableDescriptorBuilder.newBuilder(table).build());
    }
  }

  /**
   * Where rows that satisfy the predicate may be.
   *
   * @param layout where filters are kept, as far as is known here
   * @param shard the shard that has all elements of the predicate
   * @param edges how far values reach in each region, if that is wanted, too
   */
  record Route(
      TableName table,
      RoutePredicate predicate,
      HolderLayout layout,
      int shard,
      Optional<RegionEdge.Question> edges)
      implements RouteQuestion<RouteReply> {
    /** Asks whoever holds the filters, which is to be found out. */
    public Route(TableName table, RoutePredicate predicate, Optional<RegionEdge.Question> edges) {
      this(table, predicate, HolderLayout.MASTER, 0, edges);
    }

    /** Asks for the route alone. */
    public Route(TableName table, RoutePredicate predicate) {
      this(table, predicate, Optional.empty());
    }

    /** The same question to one shard, or for a part of the predicate. */
    Route to(HolderLayout by, int other, RoutePredicate part) {
      return new Route(table, part, by, other, edges);
    }

    @Override
    public int holder() {
      return layout.places(table.getNameAsString()).get(shard).holder();
    }

    @Override
    public CompletableFuture<RouteReply> askHolder(AsyncTable<?> holders) {
      RouteRequest message = message();
      return holders
          .<IndexMasterService.Stub, RouteResponse>coprocessorService(
              IndexMasterService::newStub,
              (IndexMasterService.Stub stub,
                  RpcController controller,
                  RpcCallback<RouteResponse> done) -> stub.route(controller, message, done),
              HoldersTable.rowOf(holder()))
          .thenApply(Route::read);
    }

    @Override
    public CompletableFuture<RouteReply> askMaster(AsyncAdmin admin) {
      RouteRequest message = message();
      return admin
          .<IndexMasterService.Stub, RouteResponse>coprocessorService(
              IndexMasterService::newStub,
              (IndexMasterService.Stub stub,
                  RpcController controller,
                  RpcCallback<RouteResponse> done) -> stub.route(controller, message, done))
          .thenApply(Route::read);
    }

    @Override
    public RelayedQuestion relayed() {
      return RelayedQuestion.ROUTE;
    }

    @Override
    public ByteString request() {
      return message().toByteString();
    }

    private RouteRequest message() {
      byte[] request =
          RouteCodec.encode(new RouteCodec.RouteRequest(table.getNameAsString(), predicate));
      RouteRequest.Builder message =
          RouteRequest.newBuilder()
              .setRequest(ByteString.copyFrom(request))
              .setLayout(layout.version())
              .setShard(shard);
      edges.map(EdgeMessages::question).ifPresent(message::setEdges);
      return message.build();
    }

    @Override
    public RouteReply read(ByteString answer) throws IOException {
      return read(ReceivedMessage.read("a route", answer, RouteResponse.getDefaultInstance()));
    }

    private static RouteReply read(RouteResponse response) {
      if (response.hasLayout()) {
        return RouteReply.unknown(Optional.of(FilterMessages.layout(response.getLayout())));
      }
      try {
        return new RouteReply(
            RouteCodec.decodeAnswer(response.getAnswer().toByteArray()),
            response.hasShape() ? OptionalLong.of(response.getShape()) : OptionalLong.empty(),
            response.getCellsMayHide(),
            EdgeMessages.read(response));
      } catch (MalformedBlobException e) {
        throw new CompletionException(e);
      }
    }

    /** An answer that fits no descriptor, so that the table's is read again. */
    @Override
    public CompletableFuture<RouteReply> answerWithoutIndexes() {
      return CompletableFuture.completedFuture(RouteReply.unknown(Optional.empty()));
    }
  }

  /**
   * The table's filters.
   *
   * @param known versions whose bits are not wanted again
   * @param maxBytes how many bytes of bits to send at most
   * @param layout where filters are kept, as far as is known here
   * @param shard the shard whose filters are asked for
   */
  record Filters(
      TableName table, Set<RegionCopy.Version> known, long maxBytes, HolderLayout layout, int shard)
      implements RouteQuestion<FiltersReply> {
    /** Asks whoever holds the filters, which is to be found out. */
    public Filters(TableName table, Set<RegionCopy.Version> known, long maxBytes) {
      this(table, known, maxBytes, HolderLayout.MASTER, 0);
    }

    @Override
    public int holder() {
      return layout.places(table.getNameAsString()).get(shard).holder();
    }

    @Override
    public CompletableFuture<FiltersReply> askHolder(AsyncTable<?> holders) {
      FiltersRequest message = FilterMessages.request(this);
      return holders
          .<IndexMasterService.Stub, FiltersResponse>coprocessorService(
              IndexMasterService::newStub,
              (IndexMasterService.Stub stub,
                  RpcController controller,
                  RpcCallback<FiltersResponse> done) -> stub.filters(controller, message, done),
              HoldersTable.rowOf(holder()))
          .thenApply(response -> FilterMessages.read(response, maxBytes));
    }

    @Override
    public boolean isLarge() {
      return true;
    }

    @Override
    public CompletableFuture<FiltersReply> askMaster(AsyncAdmin admin) {
      FiltersRequest message = FilterMessages.request(this);
      return admin
          .<IndexMasterService.Stub, FiltersResponse>coprocessorService(
              IndexMasterService::newStub,
              (IndexMasterService.Stub stub,
                  RpcController controller,
                  RpcCallback<FiltersResponse> done) -> stub.filters(controller, message, done))
          .thenApply(response -> FilterMessages.read(response, maxBytes));
    }

    @Override
    public RelayedQuestion relayed() {
      return RelayedQuestion.FILTERS;
    }

    @Override
    public ByteString request() {
      return FilterMessages.request(this).toByteString();
    }

    @Override
    public FiltersReply read(ByteString answer) throws IOException {
      FiltersResponse response =
          ReceivedMessage.read("a copy of filters", answer, FiltersResponse.getDefaultInstance());
      return FilterMessages.read(response, maxBytes);
    }

    @Override
    public CompletableFuture<FiltersReply> answerWithoutIndexes() {
      return CompletableFuture.failedFuture(
          new DoNotRetryIOException(
              "Cannot copy the filters of %s: it has no indexes".formatted(table)));
    }
  }
}
