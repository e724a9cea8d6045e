/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws the client's calls: single mutations, batches, RowMutations and checkAndMutate. */
final class Workload {

  private static final int LARGEST_BATCH = 16;

  private final Universe universe;
  private final Mutations mutations;
  private final SplittableRandom random;

  Workload(Universe universe, long timeBase, SplittableRandom random) {
    this.universe = universe;
    this.random = random;
    this.mutations = new Mutations(universe, new Times(timeBase, random), random);
  }

  Step next() {
    int dice = random.nextInt(10);
    if (dice < 7) {
      return batch();
    }
    return dice < 8 ? rowMutations() : checkAndMutate();
  }

  /**
   * A batch over several rows; often several mutations of one row, sometimes one that must fail.
   */
  private Step batch() {
    int size = 1 + random.nextInt(LARGEST_BATCH);
    List<Row> actions = new ArrayList<>();
    List<byte[]> rows = new ArrayList<>();
    while (actions.size() < size) {
      byte[] row = universe.row(random);
      rows.add(row);
      int ofThisRow = random.nextInt(4) == 0 ? 2 + random.nextInt(3) : 1;
      for (int i = 0; i < ofThisRow; i++) {
        actions.add(mutations.any(row));
      }
    }
    if (random.nextInt(12) == 0) {
      actions.add(random.nextInt(actions.size() + 1), mutations.doomed(universe.row(random)));
    }
    return new Step(
        rows, actions.size(), () -> "batch " + actions, table -> runBatch(table, actions));
  }

  private static void runBatch(Table table, List<Row> actions)
      throws IOException, InterruptedException {
    try {
      table.batch(actions, new Object[actions.size()]);
    } catch (RetriesExhaustedWithDetailsException e) {
      for (int i = 0; i < e.getNumExceptions(); i++) {
        requireExpected(e.getCause(i), e.getRow(i));
      }
    }
  }

  /** Only the doomed Put may fail. */
  private static void requireExpected(Throwable failure, Row action) throws IOException {
    if (!(failure instanceof NoSuchColumnFamilyException)) {
      throw new IOException("Cannot write " + action + ": " + failure, failure);
    }
  }

  private Step rowMutations() {
    byte[] row = universe.row(random);
    List<Mutation> together = mutations.together(row);
    return new Step(
        List.of(row),
        together.size(),
        () -> "rowMutations " + together,
        table -> table.mutateRow(RowMutations.of(together)));
  }

  private Step checkAndMutate() {
    byte[] row = universe.row(random);
    Column column = mutations.column();
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    byte[] expected = universe.value(column, random);
    // Conditions that hold often enough: most rows lack a given value, half the columns are empty.
    switch (random.nextInt(3)) {
      case 0 -> check.ifNotExists(column.family(), column.qualifier());
      case 1 -> check.ifEquals(column.family(), column.qualifier(), expected);
      default ->
          check.ifMatches(column.family(), column.qualifier(), CompareOperator.NOT_EQUAL, expected);
    }
    List<Mutation> together =
        random.nextBoolean() ? mutations.together(row) : List.of(mutations.any(row));
    return new Step(
        List.of(row),
        together.size(),
        () ->
            "checkAndMutate on %s against %s: %s"
                .formatted(column, Bytes.toStringBinary(expected), together),
        table -> table.checkAndMutate(build(check, together)));
  }

  private static CheckAndMutate build(CheckAndMutate.Builder check, List<Mutation> mutations)
      throws IOException {
    if (mutations.size() > 1) {
      return check.build(RowMutations.of(mutations));
    }
    Mutation only = mutations.get(0);
    if (only instanceof Put put) {
      return check.build(put);
    }
    if (only instanceof Delete delete) {
      return check.build(delete);
    }
    if (only instanceof Increment increment) {
      return check.build(increment);
    }
    return check.build((Append) only);
  }
}
