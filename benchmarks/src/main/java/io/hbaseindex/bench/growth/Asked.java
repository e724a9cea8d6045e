/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.growth;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.report.MarkdownTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What questions of one kind have cost: time, blocks that no cache had, bytes from the device. */
final class Asked {
  /** What Linux counts for this process, in which the data node runs as well. */
  private static final Path COUNTERS = Path.of("/proc/self/io");

  private static final String FROM_DEVICE = "read_bytes: ";

  private final BenchCluster cluster;
  private final Histogram nanos = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
  private long blocks;
  private long deviceBytes;
  private long found;

  Asked(BenchCluster cluster) {
    this.cluster = cluster;
  }

  /** Something that is asked. */
  interface Question {
    List<String> ask() throws IOException;
  }

  /** Asks, and fails if the answer is not the one that is expected. */
  void time(Question question, List<String> expected) throws IOException {
    long blocksBefore = cluster.blocksMissed();
    long bytesBefore = deviceBytes();
    long began = System.nanoTime();
    List<String> answer = question.ask();
    nanos.recordValue(Math.min(System.nanoTime() - began, nanos.getHighestTrackableValue()));
    blocks += cluster.blocksMissed() - blocksBefore;
    deviceBytes += deviceBytes() - bytesBefore;
    found += answer.size();
    if (!answer.equals(expected)) {
      throw new IllegalStateException(
          "Cannot trust the measurement: the answer was %s, a plain scan says %s"
              .formatted(answer, expected));
    }
  }

  void addTo(MarkdownTable table, String question, String asked) {
    double count = nanos.getTotalCount();
    table.row(
        question,
        asked,
        "%,.2f".formatted(nanos.getValueAtPercentile(50) / 1e6),
        "%,.2f".formatted(nanos.getValueAtPercentile(99) / 1e6),
        "%,.1f".formatted(blocks / count),
        Files.isReadable(COUNTERS) ? "%,.0f".formatted(deviceBytes / count / 1024) : "–",
        "%,.1f".formatted(found / count));
  }

  private static long deviceBytes() throws IOException {
    if (!Files.isReadable(COUNTERS)) {
      return 0;
    }
    return Files.readAllLines(COUNTERS).stream()
        .filter(line -> line.startsWith(FROM_DEVICE))
        .mapToLong(line -> Long.parseLong(line.substring(FROM_DEVICE.length())))
        .sum();
  }
}
