/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class KnownTablesTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private CompletableFuture<TableDescriptor> answer;
  private final KnownTables tables = new KnownTables(name -> answer, () -> 0);

  @Test
  void descriptorThatCannotBeUnderstood_failsTheScanThatWaits_andIsReadAgain() {
    answer = new CompletableFuture<>();
    CompletableFuture<KnownTable> waiting = tables.get(TABLE);

    answer.complete(null);

    assertThat(waiting).isCompletedExceptionally();
    answer = CompletableFuture.completedFuture(TableDescriptorBuilder.newBuilder(TABLE).build());
    assertThat(tables.get(TABLE)).isCompleted();
  }
}
