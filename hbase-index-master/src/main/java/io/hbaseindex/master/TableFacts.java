/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.common.table.TableShape;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;

/** What a client has to know of a table before it may use a route, as it is at the master. */
final class TableFacts {
  private record Known(TableDescriptor descriptor, long shape) {}

  private static final int MOST_TABLES = 10_000;

  /** Where descriptors come from. */
  interface Descriptors {
    TableDescriptor get(TableName table) throws IOException;
  }

  /**
   * Descriptors that are read anew once a second at most. A region server reads them from the file
   * system each time, which a route must not wait for. What is a little old only costs precision: a
   * region answers by the {@linkplain TableShape shape} that it runs with itself.
   *
   * <p>One caller reads, the others get what was read before; only the first ones wait.
   */
  static final class Recent implements Descriptors {
    static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Read(Optional<TableDescriptor> descriptor, long atNanos, AtomicBoolean due) {}

    private final Descriptors descriptors;
    private final LongSupplier nanoClock;
    private final Map<TableName, Read> known = new ConcurrentHashMap<>();

    Recent(Descriptors descriptors, LongSupplier nanoClock) {
      this.descriptors = descriptors;
      this.nanoClock = nanoClock;
    }

    @Override
    public TableDescriptor get(TableName table) throws IOException {
      Read last = known.get(table);
      boolean fresh = last != null && nanoClock.getAsLong() - last.atNanos() < FRESH_NANOS;
      if (last == null || !fresh && last.due().compareAndSet(true, false)) {
        last = read(table, last);
      }
      return last.descriptor().orElse(null);
    }

    private Read read(TableName table, Read before) throws IOException {
      long now = nanoClock.getAsLong();
      try {
        TableDescriptor found = descriptors.get(table);
        boolean same = before != null && before.descriptor().equals(Optional.ofNullable(found));
        Read read =
            new Read(
                same ? before.descriptor() : Optional.ofNullable(found),
                now,
                new AtomicBoolean(true));
        if (known.size() >= MOST_TABLES) {
          known.clear();
        }
        known.put(table, read);
        return read;
      } catch (IOException | RuntimeException e) {
        if (before != null) {
          before.due().set(true);
        }
        throw e;
      }
    }
  }

  private final Descriptors descriptors;
  private final boolean cellsMayHide;
  private final Map<TableName, Known> shapes = new ConcurrentHashMap<>();

  TableFacts(Descriptors descriptors, Configuration conf) {
    this.descriptors = descriptors;
    this.cellsMayHide =
        Stream.of(
                CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
                CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY,
                CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY)
            .flatMap(key -> Stream.of(conf.getTrimmedStrings(key)))
            .anyMatch(TableFacts::hidesCells);
  }

  private static boolean hidesCells(String coprocessor) {
    return coprocessor.startsWith(AccessController.class.getName())
        || coprocessor.startsWith(VisibilityController.class.getName());
  }

  /** The {@link TableShape} of the table's descriptor; empty if there is no such table. */
  OptionalLong shape(TableName table) throws IOException {
    TableDescriptor descriptor = descriptors.get(table);
    if (descriptor == null) {
      return OptionalLong.empty();
    }
    Known known = shapes.get(table);
    // HBase hands out the same object until the descriptor changes.
    if (known == null || known.descriptor() != descriptor) {
      if (shapes.size() >= MOST_TABLES) {
        shapes.clear();
      }
      known = new Known(descriptor, TableShape.of(descriptor));
      shapes.put(table, known);
    }
    return OptionalLong.of(known.shape());
  }

  /** Whether cell permissions or visibility labels are in force in the cluster. */
  boolean cellsMayHide() {
    return cellsMayHide;
  }
}
