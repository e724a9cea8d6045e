/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.endpoint;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.protocol.IndexRegionProtos.CheckCursor;
import io.hbaseindex.protocol.IndexRegionProtos.CheckPass;
import io.hbaseindex.protocol.IndexRegionProtos.CheckRequest;
import io.hbaseindex.protocol.IndexRegionProtos.CheckResponse;
import io.hbaseindex.protocol.IndexRegionProtos.Counter;
import io.hbaseindex.protocol.IndexRegionProtos.FaultKind;
import io.hbaseindex.protocol.IndexRegionProtos.GatherRequest;
import io.hbaseindex.protocol.IndexRegionProtos.GatherResponse;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import io.hbaseindex.protocol.IndexRegionProtos.IndexStatus;
import io.hbaseindex.protocol.IndexRegionProtos.Phase;
import io.hbaseindex.protocol.IndexRegionProtos.RebuildRequest;
import io.hbaseindex.protocol.IndexRegionProtos.RebuildResponse;
import io.hbaseindex.protocol.IndexRegionProtos.RelayRequest;
import io.hbaseindex.protocol.IndexRegionProtos.RelayResponse;
import io.hbaseindex.protocol.IndexRegionProtos.StatusRequest;
import io.hbaseindex.protocol.IndexRegionProtos.StatusResponse;
import io.hbaseindex.protocol.IndexRegionProtos.TraceRequest;
import io.hbaseindex.protocol.IndexRegionProtos.TraceResponse;
import io.hbaseindex.region.check.Fault;
import io.hbaseindex.region.check.RegionChecker;
import io.hbaseindex.region.lifecycle.IndexState;
import io.hbaseindex.region.scan.plan.AccessFigures;
import io.hbaseindex.region.scan.plan.IndexChoice;
import io.hbaseindex.region.scan.trace.ScanTrace;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.yetus.audience.InterfaceAudience;

/** Answers what clients ask a region about its indexes. */
@InterfaceAudience.LimitedPrivate("Configuration")
public final class IndexRegionEndpoint extends IndexRegionService {

  private final Supplier<CheckedRegion> regions;

  /**
   * @param region asked with each call, because HBase wants endpoints before it starts their
   *     coprocessor
   */
  public IndexRegionEndpoint(Supplier<CheckedRegion> region) {
    this.regions = region;
  }

  /** The body of a call. */
  private interface Call<T> {
    T answer() throws IOException;
  }

  @Override
  public void status(
      RpcController controller, StatusRequest request, RpcCallback<StatusResponse> done) {
    answer(controller, done, this::status);
  }

  private StatusResponse status() throws IOException {
    CheckedRegion region = regions.get();
    region.access().requireReader();
    StatusResponse.Builder status = StatusResponse.newBuilder().setRegion(region.name());
    region.unindexed().ifPresent(status::setUnindexed);
    for (IndexDefinition index : region.definitions()) {
      IndexState state = region.states().flatMap(states -> states.of(index.id())).orElseThrow();
      status.addIndex(
          IndexStatus.newBuilder()
              .setId(index.id())
              .setVersion(index.version())
              .setName(index.name())
              .setPhase(Phase.valueOf(state.phase().name()))
              .setReason(state.reason())
              .setRowsDone(state.rowsDone())
              .setRowsExpected(state.rowsExpected()));
    }
    region
        .metrics()
        .snapshot()
        .forEach(
            (name, value) -> status.addCounter(Counter.newBuilder().setName(name).setValue(value)));
    region.filterProgress().ifPresent(status::setFilterPercent);
    region.postingSize().ifPresent(size -> status.setPostings(message(size)));
    return status.setStaleQueue(region.stalePostingsWaiting()).build();
  }

  private static io.hbaseindex.protocol.IndexRegionProtos.PostingSize message(StoredPostings size) {
    return io.hbaseindex.protocol.IndexRegionProtos.PostingSize.newBuilder()
        .setBytes(size.bytes())
        .setCells(size.cells())
        .setKeyBytes(size.keyBytes())
        .setValueBytes(size.valueBytes())
        .setRows(size.rows())
        .build();
  }

  @Override
  public void check(
      RpcController controller, CheckRequest request, RpcCallback<CheckResponse> done) {
    answer(controller, done, () -> check(request));
  }

  private CheckResponse check(CheckRequest request) throws IOException {
    regions.get().access().requireAdmin();
    Optional<RegionChecker> checker = regions.get().checker();
    if (checker.isEmpty()) {
      // Nothing is indexed, so nothing can be wrong.
      return CheckResponse.newBuilder().setRows(0).setPostings(0).setRepaired(0).build();
    }
    CheckPass pass = request.hasCursor() ? request.getCursor().getPass() : CheckPass.ROWS;
    byte[] first = request.hasCursor() ? request.getCursor().getKey().toByteArray() : new byte[0];
    RegionChecker.Piece piece =
        pass == CheckPass.ROWS
            ? checker.get().checkRows(first, request.getLimit())
            : checker.get().checkPostings(first, request.getLimit());
    CheckResponse.Builder response =
        CheckResponse.newBuilder()
            .setRows(pass == CheckPass.ROWS ? piece.checked() : 0)
            .setPostings(pass == CheckPass.POSTINGS ? piece.checked() : 0)
            .setRepaired(request.getRepair() ? checker.get().repair(piece.faults()) : 0);
    piece.faults().forEach(fault -> response.addFault(message(fault)));
    cursorAfter(pass, piece).ifPresent(response::setCursor);
    return response.build();
  }

  private static Optional<CheckCursor> cursorAfter(CheckPass pass, RegionChecker.Piece piece) {
    if (piece.next().isPresent()) {
      return Optional.of(cursor(pass, piece.next().get()));
    }
    return pass == CheckPass.ROWS
        ? Optional.of(cursor(CheckPass.POSTINGS, new byte[0]))
        : Optional.empty();
  }

  private static CheckCursor cursor(CheckPass pass, byte[] key) {
    return CheckCursor.newBuilder().setPass(pass).setKey(ByteString.copyFrom(key)).build();
  }

  private static io.hbaseindex.protocol.IndexRegionProtos.Fault message(Fault fault) {
    return io.hbaseindex.protocol.IndexRegionProtos.Fault.newBuilder()
        .setKind(FaultKind.valueOf(fault.kind().name()))
        .setIndexId(fault.indexId())
        .setRow(ByteString.copyFrom(fault.row()))
        .setIndexRow(ByteString.copyFrom(fault.indexRow()))
        .build();
  }

  @Override
  public void rebuild(
      RpcController controller, RebuildRequest request, RpcCallback<RebuildResponse> done) {
    answer(
        controller,
        done,
        () -> {
          regions.get().access().requireAdmin();
          regions.get().rebuild();
          return RebuildResponse.getDefaultInstance();
        });
  }

  @Override
  public void trace(
      RpcController controller, TraceRequest request, RpcCallback<TraceResponse> done) {
    answer(controller, done, () -> trace(request.getId().toByteArray()));
  }

  private TraceResponse trace(byte[] id) throws IOException {
    CheckedRegion region = regions.get();
    region.access().requireReader();
    TraceResponse.Builder response =
        TraceResponse.newBuilder().setRegion(region.name()).setVisited(false);
    Optional<ScanTrace> found = region.traces().find(id);
    if (found.isEmpty()) {
      return response.build();
    }
    ScanTrace trace = found.get();
    response
        .setVisited(true)
        .setPlan(trace.plan())
        .setPlanNanos(trace.planNanos())
        .setOpenNanos(trace.openNanos());
    for (IndexChoice choice : trace.choices()) {
      response.addChoice(
          io.hbaseindex.protocol.IndexRegionProtos.IndexChoice.newBuilder()
              .setIndex(choice.index())
              .setUsed(choice.used())
              .setReason(choice.reason()));
    }
    trace.accesses().forEach(figures -> response.addAccess(message(figures)));
    trace
        .counters()
        .forEach(
            (name, value) ->
                response.addCounter(Counter.newBuilder().setName(name).setValue(value)));
    return response.build();
  }

  private static io.hbaseindex.protocol.IndexRegionProtos.AccessFigures message(
      AccessFigures figures) {
    var message =
        io.hbaseindex.protocol.IndexRegionProtos.AccessFigures.newBuilder()
            .setAccess(figures.access())
            .setLeftOut(figures.leftOut())
            .setLive(figures.live());
    figures.estimated().ifPresent(message::setEstimated);
    return message.build();
  }

  @Override
  public void relay(
      RpcController controller, RelayRequest request, RpcCallback<RelayResponse> done) {
    answer(controller, done, () -> relay(request));
  }

  private RelayResponse relay(RelayRequest request) throws IOException {
    CheckedRegion region = regions.get();
    region
        .access()
        .requireRouted(
            region.definitions().stream()
                .flatMap(index -> index.decidingColumns().stream())
                .toList());
    return RelayResponse.newBuilder()
        .setResponse(region.relay().answer(request.getQuestion(), request.getRequest()))
        .build();
  }

  @Override
  public void gather(
      RpcController controller, GatherRequest request, RpcCallback<GatherResponse> done) {
    answer(
        controller,
        done,
        () -> {
          try {
            return regions.get().gathered().read(request);
          } catch (IOException | RuntimeException e) {
            // Whoever asked scans the regions one by one, which shows what is wrong.
            throw new DoNotRetryIOException("Cannot read several regions by one call", e);
          }
        });
  }

  private static <T> void answer(RpcController controller, RpcCallback<T> done, Call<T> call) {
    T answer = null;
    try {
      answer = call.answer();
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    } catch (RuntimeException e) {
      CoprocessorRpcUtils.setControllerException(
          controller, new IOException("Cannot answer: " + e, e));
    }
    done.run(answer);
  }
}
