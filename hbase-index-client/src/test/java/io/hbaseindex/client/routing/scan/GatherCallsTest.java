/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.hbaseindex.protocol.IndexRegionProtos.GatherResponse;
import io.hbaseindex.protocol.IndexRegionProtos.GatheredRange;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.junit.jupiter.api.Test;

/** When servers are asked for first results, and when they are left alone. */
class GatherCallsTest {
  private long nanos = -5;
  private final GatherCalls calls = new GatherCalls(() -> nanos);

  /** A table whose servers give every call this answer. */
  private static AsyncTable<?> answering(CompletableFuture<GatherResponse> answer) {
    return (AsyncTable<?>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (self, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("coprocessorService");
              return answer;
            });
  }

  private CompletableFuture<?> read(CompletableFuture<GatherResponse> answer) {
    return calls.on(answering(answer)).read(List.of(new Scan(), new Scan()));
  }

  @Test
  void callThatFails_isNotTriedAgainForTenSeconds() {
    assertThat(calls.areWelcome()).isTrue();

    assertThat(read(CompletableFuture.failedFuture(new IOException("no such service"))))
        .isCompletedExceptionally();

    nanos += Duration.ofSeconds(10).toNanos() - 1;
    assertThat(calls.areWelcome()).isFalse();
    nanos++;
    assertThat(calls.areWelcome()).isTrue();
  }

  @Test
  void callThatCannotBeMade_failsLikeOthers() {
    AsyncTable<?> closed =
        (AsyncTable<?>)
            Proxy.newProxyInstance(
                AsyncTable.class.getClassLoader(),
                new Class<?>[] {AsyncTable.class},
                (self, method, arguments) -> {
                  throw new IllegalStateException("closed");
                });

    assertThat(calls.on(closed).read(List.of(new Scan()))).isCompletedExceptionally();

    assertThat(calls.areWelcome()).isFalse();
  }

  @Test
  void answerForOtherParts_isAFailure() {
    assertThat(read(CompletableFuture.completedFuture(GatherResponse.getDefaultInstance())))
        .isCompletedExceptionally();

    assertThat(calls.areWelcome()).isFalse();
  }

  private static GatherResponse response(ByteString cells) {
    return GatherResponse.newBuilder()
        .addRange(
            GatheredRange.newBuilder().setComplete(true).addCells(2).addCells(1).setData(cells))
        .addRange(GatheredRange.newBuilder().setComplete(false))
        .build();
  }

  private static ByteString encoded(Cell... cells) throws IOException {
    ByteString.Output out = ByteString.newOutput();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
    for (Cell cell : cells) {
      encoder.write(cell);
    }
    encoder.flush();
    return out.toByteString();
  }

  private static Cell cell(String row, String qualifier, String value) {
    return new KeyValue(
        bytes(row), bytes("f"), bytes(qualifier), 7, KeyValue.Type.Put, bytes(value));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void cellsOfAnAnswer_areThoseThatWereSent() throws Exception {
    Cell[] sent = {cell("r1", "a", "x"), cell("r1", "b", ""), cell("r2", "a", "y".repeat(999))};

    List<GatheredParts.Answer> answers =
        calls
            .on(answering(CompletableFuture.completedFuture(response(encoded(sent)))))
            .read(List.of(new Scan(), new Scan()))
            .get();

    List<Result> results = answers.get(0).results();
    assertThat(results).hasSize(2);
    assertThat(results.get(0).rawCells()).containsExactly(sent[0], sent[1]);
    assertThat(results.get(1).rawCells()).containsExactly(sent[2]);
    assertThat(results.get(0).getValue(bytes("f"), bytes("a"))).isEqualTo(bytes("x"));
    assertThat(results.get(1).getRow()).isEqualTo(bytes("r2"));
    assertThat(results.get(1).getValue(bytes("f"), bytes("a"))).hasSize(999);
    assertThat(results.get(1).rawCells()[0].getTimestamp()).isEqualTo(7);
    assertThat(answers.get(1).results()).isEmpty();
    assertThat(answers.get(1).complete()).isFalse();
  }

  @Test
  void answerThatIsCut_isAFailure() throws Exception {
    ByteString whole = encoded(cell("r1", "a", "x"), cell("r1", "b", "y"), cell("r2", "a", "z"));
    for (int length = 0; length < whole.size(); length++) {
      GatherResponse cut = response(whole.substring(0, length));
      assertThat(read(CompletableFuture.completedFuture(cut)))
          .as("%d of %d bytes", length, whole.size())
          .isCompletedExceptionally();
    }
  }

  @Test
  void serverThatDoesNotAnswer_isLeftAlone() {
    calls.on(answering(new CompletableFuture<>())).tookTooLong();

    assertThat(calls.areWelcome()).isFalse();
  }

  @Test
  void scannerThatIsClosedEarly_changesNothing() {
    read(new CompletableFuture<>()).cancel(true);

    assertThat(calls.areWelcome()).isTrue();
  }
}
