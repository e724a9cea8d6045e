/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write;

import io.hbaseindex.region.write.plan.Version;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase cells as {@link Version}s. */
@InterfaceAudience.Private
public final class Versions {
  private Versions() {}

  static Version stored(Cell cell) {
    return of(cell, ((ExtendedCell) cell).getSequenceId());
  }

  static Version atHand(Cell cell) {
    return of(cell, Version.AT_HAND);
  }

  private static Version of(Cell cell, long sequence) {
    Version.Kind kind = kindOf(cell);
    byte[] value = kind == Version.Kind.PUT ? CellUtil.cloneValue(cell) : null;
    return new Version(
        kind,
        cell.getTimestamp(),
        sequence,
        isLabelled(cell),
        isMortal(cell),
        ((ExtendedCell) cell).getTagsLength() > 0,
        value);
  }

  private static boolean isLabelled(Cell cell) {
    return PrivateCellUtil.getTag(cell, TagType.VISIBILITY_TAG_TYPE).isPresent();
  }

  static boolean isMortal(Cell cell) {
    return PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE).isPresent();
  }

  public static Version.Kind kindOf(Cell cell) {
    return switch (cell.getType()) {
      case Put -> Version.Kind.PUT;
      case Delete -> Version.Kind.DELETE_VERSION;
      case DeleteColumn -> Version.Kind.DELETE_COLUMN;
      case DeleteFamily -> Version.Kind.DELETE_FAMILY;
      case DeleteFamilyVersion -> Version.Kind.DELETE_FAMILY_VERSION;
    };
  }
}
