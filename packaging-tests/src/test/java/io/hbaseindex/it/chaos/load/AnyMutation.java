/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws mutations of every kind over few values. */
final class AnyMutation {
  /** The kinds, each about as often as the others. */
  enum Kind {
    PUT_SERVER_TIME,
    PUT_CLIENT_TIME,
    DELETE_ROW,
    DELETE_FAMILY,
    DELETE_COLUMNS,
    DELETE_COLUMN,
    DELETE_FAMILY_VERSION,
    INCREMENT,
    APPEND,
    CHECK_AND_MUTATE,
    ROW_MUTATIONS,
    BATCH;

    /** How many rows it changes, at most. */
    int rows() {
      return this == BATCH ? 4 : 1;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private static final Kind[] KINDS = Kind.values();
  private static final int TAGS = 12;

  private final Table table;
  private final SplittableRandom random;
  private final long firstTimestamp;
  private long timestamps;

  AnyMutation(Table table, SplittableRandom random, long firstTimestamp) {
    this.table = table;
    this.random = random;
    this.firstTimestamp = firstTimestamp;
  }

  /** Half of them put something: deletes alone would leave empty rows. */
  Kind kind() {
    return random.nextInt(3) == 0
        ? (random.nextBoolean() ? Kind.PUT_SERVER_TIME : Kind.PUT_CLIENT_TIME)
        : KINDS[random.nextInt(KINDS.length)];
  }

  /** A mutation of that kind; running it again does the same. */
  Client.Write of(Kind kind, List<String> rows) throws IOException {
    byte[] row = Bytes.toBytes(rows.get(0));
    switch (kind) {
      case PUT_SERVER_TIME, PUT_CLIENT_TIME:
        Put put = put(row, kind == Kind.PUT_CLIENT_TIME);
        return () -> table.put(put);
      case INCREMENT:
        Increment increment = increment(row);
        return () -> table.increment(increment);
      case APPEND:
        Append append = append(row);
        return () -> table.append(append);
      case CHECK_AND_MUTATE:
        CheckAndMutate check = checkAndMutate(row);
        return () -> table.checkAndMutate(check);
      case ROW_MUTATIONS:
        RowMutations together = rowMutations(row);
        return () -> table.mutateRow(together);
      case BATCH:
        List<Row> batch = rows.stream().map(each -> single(Bytes.toBytes(each))).toList();
        return () -> batch(batch);
      default:
        Delete delete = delete(kind, row);
        return () -> table.delete(delete);
    }
  }

  private void batch(List<Row> batch) throws IOException {
    try {
      table.batch(batch, new Object[batch.size()]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private Row single(byte[] row) {
    return switch (random.nextInt(5)) {
      case 0 -> increment(row);
      case 1 -> append(row);
      case 2 -> delete(Kind.DELETE_COLUMNS, row);
      default -> put(row, random.nextBoolean());
    };
  }

  private Put put(byte[] row, boolean timed) {
    Put put = timed ? new Put(row, timestamp()) : new Put(row);
    put.addColumn(TargetTable.F, Column.TAG.qualifier(), few("tag"));
    if (random.nextBoolean()) {
      put.addColumn(TargetTable.F, Column.EXTRA.qualifier(), few("extra"));
    }
    if (random.nextBoolean()) {
      put.addColumn(TargetTable.F, Column.MARK.qualifier(), few("mark"));
    }
    if (random.nextBoolean()) {
      put.addColumn(TargetTable.G, Column.TRAIL.qualifier(), few("trail"));
    }
    return put;
  }

  private byte[] few(String of) {
    return Bytes.toBytes(of + random.nextInt(TAGS));
  }

  /** Near the present and not in order; increments and appends never get one. */
  private long timestamp() {
    timestamps++;
    return firstTimestamp + timestamps * 10 - random.nextInt(40);
  }

  private Delete delete(Kind kind, byte[] row) {
    Column column = random.nextBoolean() ? Column.TAG : Column.TRAIL;
    Delete delete = new Delete(row);
    return switch (kind) {
      case DELETE_FAMILY -> delete.addFamily(column.family());
      case DELETE_COLUMNS -> delete.addColumns(column.family(), column.qualifier());
      case DELETE_COLUMN -> delete.addColumn(column.family(), column.qualifier());
      case DELETE_FAMILY_VERSION -> delete.addFamilyVersion(column.family(), timestamp());
      default -> delete;
    };
  }

  private Increment increment(byte[] row) {
    return new Increment(row).addColumn(TargetTable.F, Column.COUNT.qualifier(), 1);
  }

  private Append append(byte[] row) {
    return new Append(row).addColumn(TargetTable.G, Column.TRAIL.qualifier(), few("-"));
  }

  private CheckAndMutate checkAndMutate(byte[] row) {
    return CheckAndMutate.newBuilder(row)
        .ifNotExists(TargetTable.F, Column.EXTRA.qualifier())
        .build(put(row, false));
  }

  private RowMutations rowMutations(byte[] row) throws IOException {
    RowMutations together = new RowMutations(row);
    together.add((Mutation) put(row, false));
    together.add((Mutation) new Delete(row).addColumns(TargetTable.F, Column.EXTRA.qualifier()));
    return together;
  }
}
