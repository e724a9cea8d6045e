/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.count;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The scanners of one store at a read point, those of files apart from those of what is not flushed
 * yet. Both belong to one moment, and go on showing it when the store flushes or compacts.
 */
final class SpanScanners implements Closeable {
  private final HStore store;
  private final long readPoint;
  private final List<KeyValueScanner> files = new ArrayList<>();
  private final List<KeyValueScanner> unflushed = new ArrayList<>();
  private KeyValueHeap merged;

  SpanScanners(HStore store, ValueSpan span, long readPoint, boolean cacheBlocks)
      throws IOException {
    this.store = store;
    this.readPoint = readPoint;
    for (KeyValueScanner scanner :
        store.getScanners(
            cacheBlocks,
            true,
            false,
            null,
            span.start(),
            true,
            span.stop(),
            false,
            readPoint,
            false)) {
      (scanner.isFileScanner() ? files : unflushed).add(scanner);
    }
  }

  static Cell firstOf(byte[] key) {
    return PrivateCellUtil.createFirstOnRow(key, 0, (short) key.length);
  }

  /** The names of the files, if all that is in them may be seen; empty if not, or not for sure. */
  Optional<Set<String>> wholeFiles() {
    Map<Path, HStoreFile> present = new HashMap<>();
    store.getStorefiles().forEach(file -> present.put(file.getPath(), file));
    Set<String> names = new HashSet<>();
    for (KeyValueScanner scanner : files) {
      HStoreFile file = present.get(scanner.getFilePath());
      if (file == null || file.isReference() || file.getMaxMemStoreTS() > readPoint) {
        return Optional.empty();
      }
      names.add(file.getPath().toString());
    }
    return Optional.of(Set.copyOf(names));
  }

  /**
   * The newest cell that is not flushed yet of each key from one on and below another; empty if
   * there are more than so many cells.
   */
  Optional<NavigableMap<byte[], Cell>> unflushed(byte[] from, byte[] below, int most)
      throws IOException {
    NavigableMap<byte[], Cell> newest = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    int read = 0;
    for (KeyValueScanner scanner : unflushed) {
      scanner.seek(firstOf(from));
      for (Cell cell = scanner.peek(); isBefore(cell, below); cell = scanner.peek()) {
        if (++read > most) {
          return Optional.empty();
        }
        newest.merge(CellUtil.cloneRow(cell), cell, SpanScanners::newer);
        scanner.next();
      }
    }
    return Optional.of(newest);
  }

  static boolean isBefore(Cell cell, byte[] key) {
    return cell != null && CellComparator.getInstance().compareRows(cell, key, 0, key.length) < 0;
  }

  static Cell newer(Cell first, Cell second) {
    return CellComparator.getInstance().compare(first, second) <= 0 ? first : second;
  }

  /** The newest cell that files have under a key; null if they have none. */
  Cell newestInFiles(byte[] key) throws IOException {
    Cell newest = null;
    Cell first = firstOf(key);
    Scan get = new Scan(new Get(key));
    for (KeyValueScanner scanner : files) {
      if (!scanner.shouldUseScanner(get, store, Long.MIN_VALUE)) {
        continue; // its Bloom filter excludes the key
      }
      scanner.seek(first);
      Cell cell = scanner.peek();
      if (cell != null && CellComparator.getInstance().compareRows(cell, key, 0, key.length) == 0) {
        newest = newest == null ? cell : newer(newest, cell);
      }
    }
    return newest;
  }

  /** Reads the files from a key on, and with them what is not flushed if that is wanted. */
  KeyValueHeap merge(byte[] from, boolean withUnflushed) throws IOException {
    List<KeyValueScanner> all = new ArrayList<>(files);
    if (withUnflushed) {
      all.addAll(unflushed);
    }
    for (KeyValueScanner scanner : all) {
      scanner.seek(firstOf(from));
    }
    merged = new KeyValueHeap(all, CellComparator.getInstance());
    return merged;
  }

  @Override
  public void close() {
    if (merged != null) {
      merged.close();
    }
    files.forEach(KeyValueScanner::close);
    unflushed.forEach(KeyValueScanner::close);
  }
}
