/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import com.google.protobuf.ByteString;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.client.routing.scan.GatheredParts.Answer;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.protocol.IndexRegionProtos.GatherRange;
import io.hbaseindex.protocol.IndexRegionProtos.GatherRequest;
import io.hbaseindex.protocol.IndexRegionProtos.GatherResponse;
import io.hbaseindex.protocol.IndexRegionProtos.GatheredRange;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * Asks servers for the first results of parts, of one or of several at once. When that has failed,
 * for example because a server has an older version of the index, nobody is asked for a while.
 */
final class GatherCalls {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final byte[] ANY = new byte[0];

  /** One more than is needed, so that the first call after a region has moved finds it. */
  private static final int ATTEMPTS = 2;

  /** Has a call made on a table of HBase's asynchronous client. */
  private interface Caller {
    CompletableFuture<GatherResponse> make(
        Function<AsyncTable<?>, CompletableFuture<GatherResponse>> call);
  }

  private final LongSupplier nanoClock;
  private final AtomicLong notBefore;

  GatherCalls(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.notBefore = new AtomicLong(nanoClock.getAsLong());
  }

  /** Whether it makes sense to ask. */
  boolean areWelcome() {
    return nanoClock.getAsLong() - notBefore.get() >= 0;
  }

  /** Calls for parts of one scan of this table. */
  GatheredParts.Call on(AsyncTable<?> table) {
    return new PartCalls(call -> call.apply(table));
  }

  /** Calls for parts of one scan of a table, through a connection, with a short timeout. */
  GatheredParts.Call on(MasterConnection connection, TableName name, long timeoutMillis) {
    return new PartCalls(
        call ->
            connection.call(
                made ->
                    call.apply(
                        made.getTableBuilder(name)
                            .setRpcTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                            .setOperationTimeout(timeoutMillis, TimeUnit.MILLISECONDS)
                            .setMaxAttempts(ATTEMPTS)
                            .build())));
  }

  /** Calls for parts of one scan: what they have in common is written once for all servers. */
  private final class PartCalls implements GatheredParts.Call {
    private final Caller caller;
    private ByteString scan;

    private PartCalls(Caller caller) {
      this.caller = caller;
    }

    /** Calls the server that has the first part. */
    @Override
    public CompletableFuture<List<Answer>> read(List<Scan> parts) {
      CompletableFuture<GatherResponse> called;
      try {
        GatherRequest request = request(parts, message(parts.get(0)));
        byte[] row = parts.get(0).getStartRow();
        called = caller.make(table -> gather(table, request, row));
      } catch (IOException | RuntimeException e) {
        called = CompletableFuture.failedFuture(e);
      }
      return called
          .thenApply(response -> answers(response, parts.size()))
          .whenComplete(
              (answers, error) -> {
                if (error != null) {
                  pause();
                }
              });
    }

    /** All parts are the same scan, but for their rows, and for a limit that is not in it. */
    private synchronized ByteString message(Scan any) throws IOException {
      if (scan == null) {
        Scan everywhere = new Scan(any).withStartRow(ANY).withStopRow(ANY);
        scan = ByteString.copyFrom(ProtobufUtil.toScan(everywhere).toByteArray());
      }
      return scan;
    }

    @Override
    public void tookTooLong() {
      pause();
    }
  }

  private static CompletableFuture<GatherResponse> gather(
      AsyncTable<?> table, GatherRequest request, byte[] row) {
    return table.<IndexRegionService.Stub, GatherResponse>coprocessorService(
        IndexRegionService::newStub,
        (IndexRegionService.Stub stub,
            RpcController controller,
            RpcCallback<GatherResponse> done) -> stub.gather(controller, request, done),
        row);
  }

  /** Nobody is asked for a while. */
  void pause() {
    notBefore.set(nanoClock.getAsLong() + PAUSE_NANOS);
  }

  private static GatherRequest request(List<Scan> parts, ByteString scan) {
    Scan any = parts.get(0);
    GatherRequest.Builder request = GatherRequest.newBuilder().setScan(scan);
    if (any.getLimit() > 0) {
      request.setLimit(any.getLimit());
    }
    if (any.getCaching() > 0) {
      request.setCaching(any.getCaching());
    }
    for (Scan part : parts) {
      request.addRange(
          GatherRange.newBuilder()
              .setStart(ByteString.copyFrom(part.getStartRow()))
              .setIncludeStart(part.includeStartRow())
              .setStop(ByteString.copyFrom(part.getStopRow()))
              .setIncludeStop(part.includeStopRow()));
    }
    return request.build();
  }

  /**
   * @throws CompletionException if that is no answer for so many parts
   */
  private static List<Answer> answers(GatherResponse response, int parts) {
    try {
      if (response.getRangeCount() != parts) {
        throw new IOException(
            "%d answers came for %d parts".formatted(response.getRangeCount(), parts));
      }
      List<Answer> answers = new ArrayList<>();
      for (GatheredRange range : response.getRangeList()) {
        answers.add(new Answer(results(range), range.getComplete()));
      }
      return answers;
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private static List<Result> results(GatheredRange range) throws IOException {
    List<Result> results = new ArrayList<>();
    // As HBase's client has cells of an answer: all in one array.
    ByteBuff data = new SingleByteBuff(ByteBuffer.wrap(range.getData().toByteArray()));
    Codec.Decoder cells = new KeyValueCodec().getDecoder(data);
    for (int count : range.getCellsList()) {
      Cell[] row = new Cell[count];
      for (int at = 0; at < count; at++) {
        if (!cells.advance()) {
          throw new IOException("cells are missing in an answer");
        }
        row[at] = cells.current();
      }
      results.add(Result.create(row));
    }
    return results;
  }
}
