/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class KnownTablesTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(30);

  private CompletableFuture<TableDescriptor> answer = answered();
  private int asked;
  private long now = Long.MAX_VALUE - KEEP_NANOS / 2;
  private final KnownTables tables =
      new KnownTables(
          name -> {
            asked++;
            return answer;
          },
          () -> now);

  private static CompletableFuture<TableDescriptor> answered() {
    return CompletableFuture.completedFuture(TableDescriptorBuilder.newBuilder(TABLE).build());
  }

  @Test
  void descriptorThatCannotBeUnderstood_failsTheScanThatWaits_andIsReadAgain() {
    answer = new CompletableFuture<>();
    CompletableFuture<KnownTable> waiting = tables.get(TABLE);

    answer.complete(null);

    assertThat(waiting).isCompletedExceptionally();
    answer = answered();
    assertThat(tables.get(TABLE)).isCompleted();
  }

  @Test
  void scansThatNeedTheSame_waitForOneCall() {
    answer = new CompletableFuture<>();
    CompletableFuture<KnownTable> first = tables.get(TABLE);
    CompletableFuture<KnownTable> second = tables.get(TABLE);
    assertThat(asked).isOne();
    assertThat(first).isNotDone();

    answer.complete(TableDescriptorBuilder.newBuilder(TABLE).build());

    assertThat(second.join()).isSameAs(first.join());
    tables.get(TableName.valueOf("other"));
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void descriptor_isKeptForAWhile_countedFromWhenItWasAskedFor() {
    answer = new CompletableFuture<>();
    CompletableFuture<KnownTable> first = tables.get(TABLE);
    now += KEEP_NANOS / 2;
    answer.complete(TableDescriptorBuilder.newBuilder(TABLE).build());

    now += KEEP_NANOS / 2;
    assertThat(tables.get(TABLE)).isSameAs(first);
    assertThat(asked).isOne();

    now++;
    answer = new CompletableFuture<>();
    assertThat(tables.get(TABLE)).isNotDone();
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void failure_reachesThoseWhoWait_asItIs_andIsNotKept() {
    answer = new CompletableFuture<>();
    CompletableFuture<KnownTable> waiting = tables.get(TABLE);
    IOException gone = new IOException("gone");

    answer.completeExceptionally(new CompletionException(gone));

    assertThatThrownBy(waiting::join).hasCause(gone);
    answer = answered();
    assertThat(tables.get(TABLE)).isCompleted();
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void failureOfALateReading_doesNotRemoveTheOneThatFollowedIt() {
    CompletableFuture<TableDescriptor> late = new CompletableFuture<>();
    KnownTable former = tables.get(TABLE).join();
    answer = late;
    CompletableFuture<KnownTable> second = tables.readAgain(TABLE, former);
    late.completeExceptionally(new IOException("gone"));
    assertThat(second).isCompletedExceptionally();

    answer = answered();
    CompletableFuture<KnownTable> third = tables.get(TABLE);
    assertThat(tables.get(TABLE)).isSameAs(third);
    assertThat(asked).isEqualTo(3);
  }

  @Test
  void readAgain_asksOnce_forAllWhoFoundTheSameOutdated() {
    KnownTable former = tables.get(TABLE).join();
    answer = new CompletableFuture<>();

    CompletableFuture<KnownTable> first = tables.readAgain(TABLE, former);
    CompletableFuture<KnownTable> second = tables.readAgain(TABLE, former);
    assertThat(second).as("one is being read").isSameAs(first);
    assertThat(first).isNotDone();
    assertThat(asked).isEqualTo(2);

    answer.complete(TableDescriptorBuilder.newBuilder(TABLE).build());
    assertThat(tables.readAgain(TABLE, former)).as("it has been read").isSameAs(first);
    assertThat(asked).isEqualTo(2);
    tables.readAgain(TABLE, first.join());
    assertThat(asked).isEqualTo(3);
  }

  @Test
  void readAgain_ofATableThatWasForgotten_asks() {
    KnownTable elsewhere = new KnownTables(name -> answered(), () -> now).get(TABLE).join();

    assertThat(tables.readAgain(TABLE, elsewhere).join()).isNotSameAs(elsewhere);
    assertThat(asked).isOne();
  }

  @Test
  void moreTablesThanAreKept_areForgottenAndReadAgain() {
    for (int i = 0; i < 10_000; i++) {
      tables.get(TableName.valueOf("t" + i));
    }
    tables.get(TableName.valueOf("t0"));
    assertThat(asked).as("all are kept").isEqualTo(10_000);

    tables.get(TableName.valueOf("one_more"));
    tables.get(TableName.valueOf("t0"));
    assertThat(asked).isEqualTo(10_002);
  }
}
