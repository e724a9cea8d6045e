/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

class PermittedRoutesTest {
  private static final TableName TABLE = TableName.valueOf("people");

  private final Source master = new Source();
  private final Source relayed = new Source();
  private final PermittedRoutes routes = new PermittedRoutes(master, relayed);

  @Test
  void masterThatAnswers_isAsked_andNoRegion() {
    assertThat(routes.descriptor(TABLE).join()).isSameAs(master.table);
    assertThat(relayed.calls).isZero();
  }

  @Test
  void masterThatDenies_isReplacedByRegions_fromThenOn() {
    master.error = new AccessDeniedException("only administrators");

    assertThat(routes.descriptor(TABLE).join()).isSameAs(relayed.table);
    assertThat(routes.descriptor(TABLE).join()).isSameAs(relayed.table);
    assertThat(master.calls).isOne();
    assertThat(relayed.calls).isEqualTo(2);
  }

  @Test
  void masterThatFailsOtherwise_isAnError_andAskedAgain() {
    master.error = new IOException("no master");

    assertThatThrownBy(() -> routes.descriptor(TABLE).join()).hasRootCauseMessage("no master");
    assertThatThrownBy(() -> routes.descriptor(TABLE).join()).hasRootCauseMessage("no master");
    assertThat(master.calls).isEqualTo(2);
    assertThat(relayed.calls).isZero();
  }

  @Test
  void denialByBoth_reachesTheCaller() {
    master.error = new AccessDeniedException("only administrators");
    relayed.error = new AccessDeniedException("no READ");

    assertThatThrownBy(() -> routes.descriptor(TABLE).join()).hasRootCauseMessage("no READ");
  }

  /** Answers every question alike. */
  private static final class Source implements RouteSource {
    private final TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE).build();
    private Exception error;
    private int calls;

    private <T> CompletableFuture<T> answer(T value) {
      calls++;
      return error == null
          ? CompletableFuture.completedFuture(value)
          : CompletableFuture.failedFuture(error);
    }

    @Override
    public CompletableFuture<TableDescriptor> descriptor(TableName name) {
      return answer(table);
    }

    @Override
    public CompletableFuture<Answer> route(TableName name, RoutePredicate predicate) {
      return answer(null);
    }

    @Override
    public CompletableFuture<Filters> filters(
        TableName name, Set<RegionCopy.Version> known, long maxBytes) {
      return answer(null);
    }
  }
}
