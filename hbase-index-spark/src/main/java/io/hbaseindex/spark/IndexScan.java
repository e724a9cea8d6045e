/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.spark;

import io.hbaseindex.client.query.Condition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.SupportsRuntimeV2Filtering;
import org.apache.spark.sql.types.StructType;

/**
 * One reading of a table, as it is run. Before it runs, Spark may say which values the other side
 * of a join has: only rows with these are read then.
 */
final class IndexScan implements SupportsRuntimeV2Filtering, Batch {
  private final ReadPlan plan;
  private final PredicateReader predicates;
  private final List<SourceColumn> looked;
  private volatile List<Condition> atRunTime = List.of();

  /**
   * @param looked the columns whose values an index looks up
   */
  IndexScan(ReadPlan plan, PredicateReader predicates, List<SourceColumn> looked) {
    this.plan = plan;
    this.predicates = predicates;
    this.looked = List.copyOf(looked);
  }

  @Override
  public StructType readSchema() {
    return plan.schema();
  }

  @Override
  public String description() {
    return plan.toString();
  }

  /** Rows that are limited, or counted, would be others if some were left out before. */
  @Override
  public NamedReference[] filterAttributes() {
    return plan.reading().equals(Reading.Rows.ALL)
        ? looked.stream()
            .filter(plan.wanted()::contains)
            .map(column -> Expressions.column("`" + column.name().replace("`", "``") + "`"))
            .toArray(NamedReference[]::new)
        : new NamedReference[0];
  }

  /** The join looks again, so what no condition can say is left to it. */
  @Override
  public void filter(Predicate[] found) {
    atRunTime = Arrays.stream(found).map(predicates::condition).flatMap(Optional::stream).toList();
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public InputPartition[] planInputPartitions() {
    try {
      return RoutedPartitions.of(plan.narrowedTo(atRunTime)).toArray(InputPartition[]::new);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot find the regions of table %s: %s"
              .formatted(plan.source().table(), e.getMessage()),
          e);
    }
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new PartitionReaders();
  }
}
