/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.route.RowRange;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class LastRoutesTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final LastRoutes routes = new LastRoutes();

  private static RoutePredicate value(long hash) {
    return new RoutePredicate.Element(new IndexCoverage(1, 1, 1, 1), hash);
  }

  private static RoutePredicate anyOf(int values) {
    return new RoutePredicate.AnyOf(
        LongStream.range(0, values).mapToObj(LastRoutesTest::value).toList());
  }

  private static RoutePlan route(int parts) {
    RouteAnswer.Candidate candidate = new RouteAnswer.Candidate(RowRange.ALL, "server", null);
    return RoutePlans.routed(
        TABLE, new RouteAnswer(Collections.nCopies(parts, candidate), 0, 0, 0), 0, List.of());
  }

  @Test
  void route_isThatOfItsQuestionAndTable() {
    RoutePlan one = route(1);
    routes.put(TABLE, value(7), one);

    assertThat(routes.get(TABLE, value(7))).containsSame(one);
    assertThat(routes.get(TABLE, value(8))).isEmpty();
    assertThat(routes.get(TableName.valueOf("u"), value(7))).isEmpty();
  }

  @Test
  void questionsAskedLongAgo_areForgotten_othersAreNot() {
    routes.put(TABLE, value(-1), route(1));
    routes.put(TABLE, value(-2), route(1));
    for (long hash = 0; hash < LastRoutes.MOST_ROUTES - 1; hash++) {
      routes.get(TABLE, value(-1));
      routes.put(TABLE, value(hash), route(1));
    }

    assertThat(routes.get(TABLE, value(-1))).isPresent();
    assertThat(routes.get(TABLE, value(-2))).isEmpty();
  }

  @Test
  void whatIsNotWorthAGuess_isNotKept_andReplacesWhatWas() {
    routes.put(TABLE, value(1), route(LastRoutes.MOST_PARTS));
    assertThat(routes.get(TABLE, value(1))).isPresent();

    routes.put(TABLE, value(1), route(LastRoutes.MOST_PARTS + 1));
    assertThat(routes.get(TABLE, value(1))).isEmpty();

    routes.put(TABLE, value(1), route(1));
    routes.put(TABLE, value(1), route(0));
    assertThat(routes.get(TABLE, value(1))).isEmpty();
  }

  @Test
  void longQuestions_areNotKept() {
    routes.put(TABLE, anyOf(LastRoutes.MOST_ELEMENTS), route(1));
    routes.put(TABLE, anyOf(LastRoutes.MOST_ELEMENTS + 1), route(1));

    assertThat(routes.get(TABLE, anyOf(LastRoutes.MOST_ELEMENTS))).isPresent();
    assertThat(routes.get(TABLE, anyOf(LastRoutes.MOST_ELEMENTS + 1))).isEmpty();
  }
}
