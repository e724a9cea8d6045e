/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.ScannerContext;

/**
 * Counts cells towards the size that one call of a scan may return, as HBase does with those that
 * it reads. The method for it is not public, so it is looked up; where it is missing, all rows have
 * to be read.
 */
final class SizeProgress {
  private static final Optional<Methods> METHODS = find();

  private SizeProgress() {}

  /** What the context of a call has for it. */
  private record Methods(
      MethodHandle increment, MethodHandle dataSize, MethodHandle heapSize, MethodHandle set) {}

  /** Whether this HBase has what it takes. */
  static boolean isKnown() {
    return METHODS.isPresent();
  }

  static void add(ScannerContext context, List<Cell> cells) {
    long bytes = 0;
    long heap = 0;
    for (Cell cell : cells) {
      bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      heap += cell.heapSize();
    }
    try {
      METHODS.orElseThrow().increment.invoke(context, bytes, heap);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Reads cells that will not be sent, and takes back what they have added. A call that had reached
   * its limit of size by them, and has no row to send, would be taken for the end of the region by
   * clients of HBase 2.5.
   */
  static boolean without(ScannerContext context, WrappedScanner.Read read, List<Cell> cells)
      throws IOException {
    if (METHODS.isEmpty()) {
      return read.read(cells);
    }
    Methods methods = METHODS.get();
    try {
      long bytes = (long) methods.dataSize.invoke(context);
      long heap = (long) methods.heapSize.invoke(context);
      boolean more = read.read(cells);
      methods.set.invoke(context, bytes, heap);
      return more;
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static RuntimeException unchecked(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException failure
        ? failure
        : new IllegalStateException("Cannot count the size of a scan's cells", e);
  }

  private static Optional<Methods> find() {
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(ScannerContext.class, MethodHandles.lookup());
      MethodType size = MethodType.methodType(long.class);
      MethodType sizes = MethodType.methodType(void.class, long.class, long.class);
      return Optional.of(
          new Methods(
              lookup.findVirtual(ScannerContext.class, "incrementSizeProgress", sizes),
              lookup.findVirtual(ScannerContext.class, "getDataSizeProgress", size),
              lookup.findVirtual(ScannerContext.class, "getHeapSizeProgress", size),
              lookup.findVirtual(ScannerContext.class, "setSizeProgress", sizes)));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
