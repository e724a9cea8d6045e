/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import com.google.protobuf.ByteString;
import io.hbaseindex.core.push.LeaseTerms;
import io.hbaseindex.core.push.PushReply;
import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionEdge;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.time.Jitter;
import io.hbaseindex.core.wire.PushCodec;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.protocol.IndexMasterProtos.EdgeQuestion;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersRequest;
import io.hbaseindex.protocol.IndexMasterProtos.FiltersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.HoldingServersResponse;
import io.hbaseindex.protocol.IndexMasterProtos.PushResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RegionEdgeAnswer;
import io.hbaseindex.protocol.IndexMasterProtos.RouteResponse;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.User;

/**
 * Takes in what region servers and clients send: who may send it, whether it is whole, whether
 * there is room for it, what the registry says to it.
 */
final class FilterDesk {
  /** A push holds about a mebibyte and one part of a filter; nothing honest comes near this. */
  static final int MAX_MESSAGE_BYTES = 8 << 20;

  private final FilterRegistry registry;
  private final MasterAccess access;
  private final TableFacts tables;
  private final MasterMetrics metrics;
  private final LongSupplier nanoClock;
  private final StatusPages pages;
  private final FilterCopier copier;
  private final CallGate pushes;
  private final long pushPauseNanos;
  private final Jitter jitter = new Jitter(System.identityHashCode(this));
  private final CallGate routes;
  private final CallGate questions;

  FilterDesk(
      FilterRegistry registry,
      String masterName,
      MasterAccess access,
      TableFacts tables,
      MasterMetrics metrics,
      CallLimits limits,
      LeaseTerms terms,
      LongSupplier nanoClock) {
    this.registry = registry;
    this.access = access;
    this.tables = tables;
    this.metrics = metrics;
    this.nanoClock = nanoClock;
    this.pages = new StatusPages(registry, masterName);
    this.copier = new FilterCopier(registry);
    this.pushes =
        new CallGate(
            "take a push",
            limits.pushes(),
            limits.waitingPushes(),
            terms.patienceNanos() / 8,
            metrics.refusals("pushes"));
    this.pushPauseNanos = terms.patienceNanos() / 32;
    this.routes = new CallGate("route a query", limits.routes(), metrics.refusals("routes"));
    this.questions = new CallGate("show the filters", limits.status(), metrics.refusals("status"));
  }

  /** Takes in a push; where there is no turn for it, says when the next one may come. */
  PushResponse push(Optional<User> sender, ByteString blob) throws IOException {
    try {
      return pushes.pass(
          () -> {
            long started = nanoClock.getAsLong();
            access.requirePublisher(sender);
            PushReply reply = registry.apply(PushCodec.decodePush(bounded(blob)));
            metrics.pushed(blob.size(), reply, nanoClock.getAsLong() - started);
            return PushResponse.newBuilder()
                .setReply(ByteString.copyFrom(PushCodec.encode(reply)))
                .build();
          });
    } catch (CallQueueTooBigException busy) {
      long pause = jitter.lengthen(pushPauseNanos);
      return PushResponse.newBuilder().setPauseMicros(TimeUnit.NANOSECONDS.toMicros(pause)).build();
    }
  }

  /** Moves bits to where routes read them fastest, for so long at most. */
  void tidy(long nanos) {
    long began = nanoClock.getAsLong();
    while (registry.tidy(1) && nanoClock.getAsLong() - began < nanos) {
      // step by step: pushes come in between
    }
  }

  /**
   * Answers a route request.
   *
   * @param edges what else is wanted, if anything
   * @param place what the registry calls the part of a table that is asked for
   */
  RouteResponse route(
      Optional<User> sender,
      ByteString blob,
      Optional<EdgeQuestion> edges,
      UnaryOperator<String> place)
      throws IOException {
    return routes.pass(
        () -> {
          long started = nanoClock.getAsLong();
          RouteCodec.RouteRequest request = readable(sender, blob);
          RouteAnswer answer = registry.route(place.apply(request.table()), request.predicate());
          metrics.routed(answer, nanoClock.getAsLong() - started);
          boolean hiding = tables.cellsMayHide();
          RouteResponse.Builder response =
              RouteResponse.newBuilder()
                  .setAnswer(ByteString.copyFrom(RouteCodec.encode(answer)))
                  .setCellsMayHide(hiding);
          tables.shape(tableName(request.table())).ifPresent(response::setShape);
          // An edge is the beginning of a value, which not every reader of the table may see then.
          edges
              .filter(asked -> !hiding)
              .map(asked -> registry.edges(place.apply(request.table()), question(asked)))
              .map(all -> RegionEdge.leftBy(answer, all))
              .orElse(List.of())
              .forEach(edge -> response.addEdge(answer(edge)));
          return response.build();
        });
  }

  private static RegionEdge.Question question(EdgeQuestion asked) {
    return new RegionEdge.Question(
        new IndexCoverage(asked.getSpace(), asked.getVersion(), asked.getSeed(), asked.getShape()),
        asked.getLargest());
  }

  private static RegionEdgeAnswer answer(RegionEdge edge) {
    RegionEdgeAnswer.Builder told =
        RegionEdgeAnswer.newBuilder()
            .setStartKey(ByteString.copyFrom(edge.range().start()))
            .setEndKey(ByteString.copyFrom(edge.range().end()));
    edge.prefix().ifPresent(prefix -> told.setPrefix(ByteString.copyFrom(prefix)));
    return told.build();
  }

  /**
   * Copies the filters of a table for a client that is to ask them itself.
   *
   * @param place what the registry calls the part of the table that is asked for
   */
  FiltersResponse filters(Optional<User> sender, FiltersRequest request, String place)
      throws IOException {
    return questions.pass(
        () -> {
          TableName table = tableName(request.getTable());
          access.requireReader(sender, table);
          FiltersResponse.Builder response =
              copier.copy(request, place).setCellsMayHide(tables.cellsMayHide());
          tables.shape(table).ifPresent(response::setShape);
          return response.build();
        });
  }

  /** Says which servers may hold what a route request asks for. */
  HoldingServersResponse servers(
      Optional<User> sender, ByteString blob, UnaryOperator<String> place) throws IOException {
    return routes.pass(
        () -> {
          RouteCodec.RouteRequest request = readable(sender, blob);
          return StatusPages.holding(
              registry.servers(place.apply(request.table()), request.predicate()));
        });
  }

  /** Shows how the filters stand. */
  RoutingStatusResponse status(Optional<User> sender, RoutingStatusRequest request)
      throws IOException {
    return questions.pass(
        () -> {
          access.requireAdmin(
              sender,
              request.hasTable() ? Optional.of(tableName(request.getTable())) : Optional.empty());
          return pages.page(request);
        });
  }

  /** Makes something for people to look at, within the bound of the questions about filters. */
  <T> T show(CallGate.Work<T> work) throws IOException {
    return questions.pass(work);
  }

  /** Reads a request for a route on a table that the sender may read. */
  private RouteCodec.RouteRequest readable(Optional<User> sender, ByteString blob)
      throws IOException {
    RouteCodec.RouteRequest request = RouteCodec.decodeRequest(bounded(blob));
    access.requireReader(sender, tableName(request.table()));
    return request;
  }

  private static TableName tableName(String name) throws CallRefusedException {
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new CallRefusedException(
          Refusal.MALFORMED, "Cannot read the name of a table: " + e.getMessage());
    }
  }

  private static byte[] bounded(ByteString blob) throws CallRefusedException {
    if (blob.size() > MAX_MESSAGE_BYTES) {
      throw new CallRefusedException(
          Refusal.OVERSIZED,
          "Cannot read a message of "
              + blob.size()
              + " bytes: the limit is "
              + MAX_MESSAGE_BYTES
              + "; send it in parts");
    }
    return blob.toByteArray();
  }
}
