/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RoutePredicate;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

class ReachableRoutesTest {
  private static final TableName TABLE = TableName.valueOf("people");

  private final Source master = new Source();
  private final Source relayed = new Source();
  private final ReachableRoutes routes = new ReachableRoutes(master, relayed);

  @Test
  void masterThatAnswers_isAsked_andNoRegion() {
    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE)).join()).isSameAs(master.table);
    assertThat(relayed.calls).isZero();
  }

  @Test
  void masterThatDenies_isReplacedByRegions_fromThenOn() {
    master.error = new AccessDeniedException("only administrators");

    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE)).join()).isSameAs(relayed.table);
    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE)).join()).isSameAs(relayed.table);
    assertThat(master.calls).isOne();
    assertThat(relayed.calls).isEqualTo(2);
  }

  @Test
  void masterThatFailsOtherwise_isAnError_andAskedAgain() {
    master.error = new IOException("no master");

    assertThatThrownBy(() -> routes.ask(new RouteQuestion.Descriptor(TABLE)).join())
        .hasRootCauseMessage("no master");
    assertThatThrownBy(() -> routes.ask(new RouteQuestion.Descriptor(TABLE)).join())
        .hasRootCauseMessage("no master");
    assertThat(master.calls).isEqualTo(2);
    assertThat(relayed.calls).isZero();
  }

  @Test
  void masterThatIsNotActive_isReplacedByRegions_forThisQuestionOnly() {
    master.error =
        new RetriesExhaustedException("twice", new ServerNotRunningYetException("a backup"));

    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE)).join()).isSameAs(relayed.table);
    master.error = null;
    assertThat(routes.ask(new RouteQuestion.Descriptor(TABLE)).join()).isSameAs(master.table);
    assertThat(relayed.calls).isOne();
  }

  @Test
  void regionsWithoutTheService_belongToATableWithoutIndexes() {
    master.error = new AccessDeniedException("only administrators");
    relayed.error = new UnknownProtocolException("no such service");

    TableDescriptor answer = routes.ask(new RouteQuestion.Descriptor(TABLE)).join();

    assertThat(answer.getTableName()).isEqualTo(TABLE);
    assertThat(answer.getColumnFamilyCount()).isZero();
    assertThat(
            routes
                .ask(
                    new RouteQuestion.Route(
                        TABLE, new RoutePredicate.Element(new IndexCoverage(1, 1, 1, 0), 1)))
                .join()
                .shape())
        .isEmpty();
    assertThatThrownBy(() -> routes.ask(new RouteQuestion.Filters(TABLE, Set.of(), 1)).join())
        .hasRootCauseMessage("Cannot copy the filters of people: it has no indexes");
  }

  @Test
  void masterWithoutTheEndpoint_isNoTableWithoutIndexes() {
    master.error = new UnknownProtocolException("no such service");

    assertThatThrownBy(() -> routes.ask(new RouteQuestion.Descriptor(TABLE)).join())
        .hasRootCauseMessage("no such service");
    assertThat(relayed.calls).isZero();
  }

  @Test
  void denialByBoth_reachesTheCaller() {
    master.error = new AccessDeniedException("only administrators");
    relayed.error = new AccessDeniedException("no READ");

    assertThatThrownBy(() -> routes.ask(new RouteQuestion.Descriptor(TABLE)).join())
        .hasRootCauseMessage("no READ");
  }

  /** Answers every question alike. */
  private static final class Source extends FakeRoutes {
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
    protected CompletableFuture<TableDescriptor> descriptor(TableName name) {
      return answer(table);
    }

    @Override
    protected CompletableFuture<RouteReply> route(TableName name, RoutePredicate predicate) {
      return answer(null);
    }

    @Override
    protected CompletableFuture<FiltersReply> filters(
        TableName name, Set<RegionCopy.Version> known, long maxBytes) {
      return answer(null);
    }
  }
}
