/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.plan;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.core.route.RoutePredicate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;

/**
 * The last routes of the questions that were asked last. They are guesses, not answers: a row may
 * have been written elsewhere since.
 *
 * <p>Only what is worth a guess is kept: short questions whose rows are in few regions. Safe for
 * use by many threads.
 */
final class LastRoutes {
  /** A megabyte or two. */
  static final int MOST_ROUTES = 4_096;

  /** More regions take so long to read that the trip for the route does not matter. */
  static final int MOST_PARTS = 4;

  /** Long lists of values take room, and rarely come back. */
  static final int MOST_ELEMENTS = 8;

  private record Question(TableName table, RoutePredicate predicate) {}

  private final Map<Question, RoutePlan> routes =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, RoutePlan> eldest) {
          return size() > MOST_ROUTES;
        }
      };

  /** Where the rows of a question were when it was asked last. */
  synchronized Optional<RoutePlan> get(TableName table, RoutePredicate predicate) {
    return Optional.ofNullable(routes.get(new Question(table, predicate)));
  }

  /** Keeps the answer to a question in place of a former one. */
  synchronized void put(TableName table, RoutePredicate predicate, RoutePlan route) {
    Question question = new Question(table, predicate);
    boolean worthwhile =
        !route.parts().isEmpty()
            && route.parts().size() <= MOST_PARTS
            && elements(predicate) <= MOST_ELEMENTS;
    if (worthwhile) {
      routes.put(question, route);
    } else {
      routes.remove(question);
    }
  }

  private static int elements(RoutePredicate predicate) {
    if (predicate instanceof RoutePredicate.AllOf all) {
      return elements(all.parts());
    }
    return predicate instanceof RoutePredicate.AnyOf any ? elements(any.parts()) : 1;
  }

  private static int elements(List<RoutePredicate> parts) {
    return parts.stream().mapToInt(LastRoutes::elements).sum();
  }
}
