/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import com.google.protobuf.ByteString;
import com.google.protobuf.ServiceException;
import io.hbaseindex.client.routing.scan.GatheredParts.Answer;
import io.hbaseindex.protocol.IndexRegionProtos.GatherRange;
import io.hbaseindex.protocol.IndexRegionProtos.GatherRequest;
import io.hbaseindex.protocol.IndexRegionProtos.GatherResponse;
import io.hbaseindex.protocol.IndexRegionProtos.GatheredRange;
import io.hbaseindex.protocol.IndexRegionProtos.IndexRegionService;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * Asks servers for the first results of several parts at once. When that has failed, for example
 * because a server has an older version of the index, nobody is asked for a while.
 */
final class GatherCalls {
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final byte[] ANY = new byte[0];

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

  /** Calls for parts of a scan of a table. */
  GatheredParts.Call on(Table table) {
    return new GatheredParts.Call() {
      @Override
      public List<Answer> read(List<Scan> parts) throws IOException {
        return GatherCalls.this.read(table, parts);
      }

      @Override
      public void tookTooLong() {
        pause();
      }
    };
  }

  /** Calls the server that has the first part. */
  private List<Answer> read(Table table, List<Scan> parts) throws IOException {
    GatherRequest request = request(parts);
    byte[] row = parts.get(0).getStartRow();
    try {
      IndexRegionService.BlockingInterface region =
          IndexRegionService.newBlockingStub(table.coprocessorService(row));
      return answers(region.gather(null, request), parts.size());
    } catch (ServiceException e) {
      if (!isInterruption(e.getCause())) {
        pause();
      }
      throw new IOException("Cannot ask one server for several regions", e);
    }
  }

  /**
   * Whether a scanner was closed before its answers came: nothing is wrong with the server then.
   */
  private static boolean isInterruption(Throwable cause) {
    return cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException);
  }

  /** Nobody is asked for a while. */
  void pause() {
    notBefore.set(nanoClock.getAsLong() + PAUSE_NANOS);
  }

  /** All parts are the same scan, but for their rows. */
  private static GatherRequest request(List<Scan> parts) throws IOException {
    Scan any = parts.get(0);
    byte[] scan =
        ProtobufUtil.toScan(new Scan(any).withStartRow(ANY).withStopRow(ANY)).toByteArray();
    GatherRequest.Builder request = GatherRequest.newBuilder().setScan(ByteString.copyFrom(scan));
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

  private static List<Answer> answers(GatherResponse response, int parts) throws IOException {
    if (response.getRangeCount() != parts) {
      throw new IOException(
          "%d answers came for %d parts".formatted(response.getRangeCount(), parts));
    }
    List<Answer> answers = new ArrayList<>();
    for (GatheredRange range : response.getRangeList()) {
      answers.add(new Answer(results(range), range.getComplete()));
    }
    return answers;
  }

  private static List<Result> results(GatheredRange range) throws IOException {
    List<Result> results = new ArrayList<>();
    Codec.Decoder cells = new KeyValueCodec().getDecoder(range.getData().newInput());
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
