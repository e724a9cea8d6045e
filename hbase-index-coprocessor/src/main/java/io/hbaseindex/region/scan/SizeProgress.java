/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

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
  private static final Optional<MethodHandle> INCREMENT = find();

  private SizeProgress() {}

  /** Whether this HBase has what it takes. */
  static boolean isKnown() {
    return INCREMENT.isPresent();
  }

  static void add(ScannerContext context, List<Cell> cells) {
    long bytes = 0;
    long heap = 0;
    for (Cell cell : cells) {
      bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
      heap += cell.heapSize();
    }
    try {
      INCREMENT.orElseThrow().invoke(context, bytes, heap);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("Cannot count the size of a scan's cells", e);
    }
  }

  private static Optional<MethodHandle> find() {
    try {
      return Optional.of(
          MethodHandles.privateLookupIn(ScannerContext.class, MethodHandles.lookup())
              .findVirtual(
                  ScannerContext.class,
                  "incrementSizeProgress",
                  MethodType.methodType(void.class, long.class, long.class)));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
