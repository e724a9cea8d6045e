/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount;

import io.hbaseindex.seeds.timecount.store.MbfId;
import io.hbaseindex.seeds.timecount.store.MbfStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A store in a map that counts its reads and fails when told to. */
final class MemoryMbfStore implements MbfStore {
  final Map<MbfId, byte[]> blobs;
  int reads;
  boolean failWrites;
  boolean failDeletes;

  MemoryMbfStore() {
    this(Map.of());
  }

  private MemoryMbfStore(Map<MbfId, byte[]> blobs) {
    this.blobs = new TreeMap<>(blobs);
  }

  MemoryMbfStore copy() {
    return new MemoryMbfStore(blobs);
  }

  @Override
  public void write(MbfId id, Content content) throws IOException {
    if (failWrites) {
      throw new IOException("write refused by the test");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.writeTo(bytes);
    blobs.put(id, bytes.toByteArray());
  }

  @Override
  public InputStream read(MbfId id) throws IOException {
    reads++;
    byte[] blob = blobs.get(id);
    if (blob == null) {
      throw new NoSuchFileException(id.toString());
    }
    return new ByteArrayInputStream(blob);
  }

  @Override
  public void delete(MbfId id) throws IOException {
    if (failDeletes) {
      throw new IOException("delete refused by the test");
    }
    blobs.remove(id);
  }

  @Override
  public List<MbfId> list() {
    return List.copyOf(blobs.keySet());
  }
}
