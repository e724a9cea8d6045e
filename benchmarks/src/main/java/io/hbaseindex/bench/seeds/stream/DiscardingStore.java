/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.seeds.stream;

import io.hbaseindex.seeds.timecount.store.MbfId;
import io.hbaseindex.seeds.timecount.store.MbfStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/** Takes filters and keeps none, so that a benchmark measures no disk. */
final class DiscardingStore implements MbfStore {
  @Override
  public void write(MbfId id, Content content) throws IOException {
    content.writeTo(OutputStream.nullOutputStream());
  }

  @Override
  public InputStream read(MbfId id) throws IOException {
    throw new IOException("Cannot read filter " + id + ": it was discarded; give it more cache");
  }

  @Override
  public void delete(MbfId id) {}

  @Override
  public List<MbfId> list() {
    return List.of();
  }
}
