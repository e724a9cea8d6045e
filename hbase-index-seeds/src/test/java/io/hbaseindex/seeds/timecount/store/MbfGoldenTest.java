/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.testing.GoldenFile;
import io.hbaseindex.seeds.timecount.filter.CountingWindow;
import io.hbaseindex.seeds.timecount.filter.MbfHashing;
import io.hbaseindex.seeds.timecount.filter.MbfParameters;
import io.hbaseindex.seeds.timecount.filter.MultiBloomFilter;
import io.hbaseindex.seeds.timecount.filter.TimeSpan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A file of time-window counts, byte by byte. */
class MbfGoldenTest {
  private static final MbfId ID = new MbfId(3, 4);
  private static final long SEED = 42;

  @Test
  void timeFilter_isWrittenAndReadAsEver() throws IOException {
    MultiBloomFilter filter = filter();

    byte[] golden = GoldenFile.bytes("time-filter", encoded(filter));

    assertThat(MbfCodec.readHeader(ID, new ByteArrayInputStream(golden)))
        .isEqualTo(MbfCodec.headerOf(ID, SEED, filter));
    MultiBloomFilter read = MbfCodec.read(ID, new ByteArrayInputStream(golden));
    assertThat(read.parameters()).isEqualTo(filter.parameters());
    assertThat(read.span()).isEqualTo(new TimeSpan(0, 103));
    assertThat(read.events()).isEqualTo(3 + 4);
    assertThat(encoded(read)).isEqualTo(golden);
  }

  private static byte[] encoded(MultiBloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    MbfCodec.write(MbfCodec.headerOf(ID, SEED, filter), filter, out);
    return out.toByteArray();
  }

  private static MultiBloomFilter filter() {
    MbfParameters parameters = MbfParameters.forErrors(10, 2, 0.2, 0.2);
    MbfHashing hashing = new MbfHashing(parameters, SEED);
    MultiBloomFilter filter = new MultiBloomFilter(parameters);
    for (int w = 0; w < 2; w++) {
      CountingWindow window = filter.openWindow(100 * w);
      for (int i = 0; i < 3 + w; i++) {
        filter.record(window, hashing.positionsOf(new byte[] {(byte) i}), 100 * w + i);
      }
    }
    return filter;
  }
}
