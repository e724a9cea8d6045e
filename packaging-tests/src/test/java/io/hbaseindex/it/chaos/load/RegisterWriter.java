/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import io.hbaseindex.it.chaos.ask.Lookups;
import io.hbaseindex.it.chaos.ask.Question;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.ask.TargetTable.Column;
import io.hbaseindex.it.chaos.ask.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Puts and deletes the codes of rows of its own, and asks for them, by the new code and by the old,
 * as soon as a write is acknowledged. Timestamps are its own and only grow, so that the order of
 * writes does not depend on any server's clock. A row whose write failed at the client is left
 * alone from then on.
 */
public final class RegisterWriter extends Client {
  private static final int ROWS = 25;
  private static final int WRITES_PER_ROW = 25;

  private static final class Owned {
    private final String row;
    private String value;
    private String before;
    private String code;
    private String note;
    private int writes;
    private long acknowledgedNanos;

    private Owned(String row) {
      this.row = row;
    }
  }

  private final Table table;
  private final RegisterRows registers;
  private final List<Owned> rows = new ArrayList<>();
  private long timestamp;
  private int created;
  private int values;

  public RegisterWriter(
      String name,
      Shared shared,
      SplittableRandom random,
      Table table,
      RegisterRows registers,
      long firstTimestamp) {
    super(name, shared, random);
    this.table = table;
    this.registers = registers;
    this.timestamp = firstTimestamp;
  }

  @Override
  void step() throws Exception {
    if (rows.size() < ROWS) {
      rows.add(
          new Owned(TargetTable.key(random().nextInt(26), "register-" + name() + "-" + created++)));
    }
    Owned row = rows.get(random().nextInt(rows.size()));
    if (random().nextInt(10) == 0) {
      lookAt(row, Way.BOUNDED);
      return;
    }
    if (row.value != null && random().nextInt(6) == 0) {
      writeNote(row);
    } else {
      write(row);
    }
    if (rows.contains(row)) {
      lookAt(row, strongWay());
      if (row.writes >= WRITES_PER_ROW) {
        rows.remove(row);
        registers.retire(row.row);
      }
    }
  }

  private void write(Owned row) throws Exception {
    boolean deletes = row.value != null && random().nextInt(5) == 0;
    String value = deletes ? null : name() + "-" + values++;
    timestamp++;
    registers.writing(row.row, value, row.value);
    boolean acknowledged = deletes ? delete(row) : put(row.row, value);
    if (!acknowledged) {
      rows.remove(row);
      return;
    }
    row.acknowledgedNanos = System.nanoTime();
    row.before = row.value;
    row.value = value;
    row.code = value == null ? null : cell(Column.CODE.qualifier(), value);
    row.note = value == null ? null : cell(TargetTable.NOTE, value);
    row.writes++;
    registers.acknowledged(row.row, value);
  }

  private boolean put(String row, String value) throws Exception {
    Put put = put(row, Column.CODE.qualifier(), value);
    put.addColumn(TargetTable.F, TargetTable.NOTE, timestamp, Bytes.toBytes(value));
    return acknowledged("put", Operation.WRITE, row, value, () -> table.put(put));
  }

  /** Writes the column that is only included in the index. */
  private void writeNote(Owned row) throws Exception {
    timestamp++;
    String text = name() + "-note-" + timestamp;
    Put put = put(row.row, TargetTable.NOTE, text);
    if (acknowledged("put of an included column", "note", row.row, text, () -> table.put(put))) {
      row.note = cell(TargetTable.NOTE, text);
    } else {
      rows.remove(row);
    }
  }

  private Put put(String row, byte[] qualifier, String value) {
    return new Put(Bytes.toBytes(row))
        .addColumn(TargetTable.F, qualifier, timestamp, Bytes.toBytes(value));
  }

  private String cell(byte[] qualifier, String value) {
    return TargetTable.cell(qualifier, timestamp, Bytes.toBytes(value));
  }

  private boolean delete(Owned row) throws Exception {
    byte[] key = Bytes.toBytes(row.row);
    Delete delete;
    String kind;
    switch (random().nextInt(3)) {
      case 0:
        delete = new Delete(key, timestamp);
        kind = "delete row";
        break;
      case 1:
        delete = new Delete(key).addFamily(TargetTable.F, timestamp);
        kind = "delete family";
        break;
      default:
        delete = new Delete(key).addColumns(TargetTable.F, Column.CODE.qualifier(), timestamp);
        kind = "delete columns";
    }
    return acknowledged(kind, Operation.WRITE, row.row, null, () -> table.delete(delete));
  }

  private void lookAt(Owned row, Way way) throws Exception {
    if (row.value != null) {
      boolean mayMiss =
          !way.isStrong()
              && System.nanoTime() - row.acknowledgedNanos
                  < TimeUnit.MILLISECONDS.toNanos(Lookups.STALENESS_MILLIS);
      look(row, way, row.value, true, mayMiss);
    }
    if (row.before != null) {
      look(row, way, row.before, false, false);
    }
  }

  private void look(Owned row, Way way, String value, boolean expected, boolean mayMiss)
      throws Exception {
    Question question = Question.of(Column.CODE, value);
    Optional<Map<String, String>> answer = lookup(way, row.row, question);
    if (answer.isEmpty()) {
      return;
    }
    String told = answer.get().get(row.row);
    if (answer.get().size() > (told == null ? 0 : 1)) {
      judge().stranger(name(), way, row.row, value, answer.get());
    }
    if ((told != null) != expected && !mayMiss) {
      judge().disagreement(name(), way, row.row, question, null, !expected);
    } else if (told != null && expected && !told.equals(row.code + " " + row.note)) {
      judge().otherCells(name(), way, row.row, question, null, told);
    }
  }
}
