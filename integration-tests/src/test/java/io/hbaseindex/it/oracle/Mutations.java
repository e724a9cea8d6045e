/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Draws single mutations of one row: Put, the five kinds of Delete, Increment, Append. */
final class Mutations {

  static final byte[] NO_FAMILY = Bytes.toBytes("nofamily");

  private static final Column[] COLUMNS = Column.values();

  private final Universe universe;
  private final Times times;
  private final SplittableRandom random;

  Mutations(Universe universe, Times times, SplittableRandom random) {
    this.universe = universe;
    this.times = times;
    this.random = random;
  }

  /** Any mutation of the row. */
  Mutation any(byte[] row) {
    int dice = random.nextInt(20);
    if (dice < 2) {
      return increment(row);
    }
    return dice < 4 ? append(row) : putOrDelete(row);
  }

  /** A mutation that neither reads nor needs an exclusive lock of HBase. */
  Mutation putOrDelete(byte[] row) {
    return random.nextInt(10) < 7 ? put(row) : delete(row);
  }

  Put put(byte[] row) {
    Put put = new Put(row);
    int columns = 1 + random.nextInt(3);
    for (int i = 0; i < columns; i++) {
      Column column = column();
      put.addColumn(
          column.family(), column.qualifier(), times.next(row), universe.value(column, random));
    }
    return put;
  }

  Delete delete(byte[] row) {
    Delete delete = new Delete(row);
    Column column = column();
    boolean timed = random.nextBoolean();
    switch (random.nextInt(5)) {
      case 0 -> {
        if (timed) {
          return new Delete(row, times.explicit(row));
        }
      }
      case 1 -> {
        if (timed) {
          delete.addFamily(column.family(), times.explicit(row));
        } else {
          delete.addFamily(column.family());
        }
      }
      case 2 -> {
        if (timed) {
          delete.addColumns(column.family(), column.qualifier(), times.explicit(row));
        } else {
          delete.addColumns(column.family(), column.qualifier());
        }
      }
      case 3 -> {
        if (timed) {
          delete.addColumn(column.family(), column.qualifier(), times.explicit(row));
        } else {
          delete.addColumn(column.family(), column.qualifier());
        }
      }
      default -> delete.addFamilyVersion(column.family(), times.explicit(row));
    }
    return delete;
  }

  Increment increment(byte[] row) {
    return new Increment(row)
        .addColumn(Column.COUNT.family(), Column.COUNT.qualifier(), random.nextLong(-1, 2));
  }

  Append append(byte[] row) {
    byte[] tail = {(byte) (random.nextBoolean() ? 'a' : 'b')};
    return new Append(row).addColumn(Column.TRAIL.family(), Column.TRAIL.qualifier(), tail);
  }

  /** A Put that HBase refuses, to fail one mutation of a batch. */
  Put doomed(byte[] row) {
    return new Put(row).addColumn(NO_FAMILY, new byte[] {'q'}, new byte[] {'v'});
  }

  /** Two to four mutations of one row that are to be applied together. */
  List<Mutation> together(byte[] row) {
    List<Mutation> mutations = new ArrayList<>();
    int count = 2 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      mutations.add(random.nextInt(6) == 0 ? any(row) : putOrDelete(row));
    }
    return mutations;
  }

  Column column() {
    return COLUMNS[random.nextInt(COLUMNS.length)];
  }
}
