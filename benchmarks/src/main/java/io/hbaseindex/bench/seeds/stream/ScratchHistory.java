/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.seeds.timecount.HistorySettings;
import io.hbaseindex.seeds.timecount.StreamHistory;
import io.hbaseindex.seeds.timecount.Windowing;
import io.hbaseindex.seeds.timecount.filter.CountEstimate;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import io.hbaseindex.seeds.timecount.store.FileMbfStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A history of numbers in a temporary directory, gone when closed. */
final class ScratchHistory implements AutoCloseable {
  /** Risk that answers are asked with. */
  static final double RISK = 0.01;

  private static final long CACHED = 1L << 30;

  private final MbfParameters parameters;
  private final long seed;
  private final Path directory;
  private FileMbfStore store;
  private StreamHistory history;
  private long time;

  ScratchHistory(MbfParameters parameters, long seed) {
    this.parameters = parameters;
    this.seed = seed;
    try {
      this.directory = Files.createTempDirectory("mbf");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create a temporary directory", e);
    }
    open(CACHED);
  }

  /** Records an element; the time is the number of elements before. */
  void record(long element) {
    try {
      history.record(bytes(element), time++);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  CountEstimate count(long element, TimeSpan span) {
    try {
      return history.count(bytes(element), span, RISK);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void flush() {
    call(history::flush);
  }

  /** The first compression, of everything. */
  void mergeWindows() {
    call(() -> history.mergeWindowsBefore(Long.MAX_VALUE));
  }

  /** The second compression, of everything. */
  void mergeFilters() {
    call(() -> history.mergeFiltersBefore(Long.MAX_VALUE));
  }

  /** Opens what is stored again, with memory for the open filters alone. */
  void reopenWithoutCache() {
    call(store::close);
    open(2 * parameters.filterBytes());
  }

  /** Opens what is stored again, with all of it in memory sooner or later. */
  void reopen() {
    call(store::close);
    open(CACHED);
  }

  StreamHistory history() {
    return history;
  }

  @Override
  public void close() {
    call(store::close);
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot remove " + directory, e);
    }
  }

  private void open(long memory) {
    call(
        () -> {
          store = FileMbfStore.open(directory);
          history =
              StreamHistory.open(
                  new HistorySettings(
                      parameters,
                      Windowing.byCount(),
                      seed,
                      memory,
                      HistorySettings.DEFAULT_MAX_FILTERS),
                  store);
        });
  }

  private static byte[] bytes(long element) {
    return ByteBuffer.allocate(Long.BYTES).putLong(element).array();
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  private static void call(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
