package io.hbaseindex.region.write;

import java.util.ArrayList;
import java.util.List;

/**
 * The values one column of one row shows now or can show without another write.
 *
 * @param visible what readers see now; null if they see nothing
 * @param masked what can come into view when compaction drops old delete markers
 */
record ShowableValues(byte[] visible, List<byte[]> masked) {
  static final ShowableValues NONE = new ShowableValues(null, List.of());

  /** The values, without a word about absence. */
  List<byte[]> values() {
    if (visible == null) {
      return masked;
    }
    if (masked.isEmpty()) {
      return List.of(visible);
    }
    List<byte[]> all = new ArrayList<>(masked);
    all.add(visible);
    return all;
  }

  /** The values, with null standing for absence if the column is absent now. */
  List<byte[]> valuesOrAbsence() {
    List<byte[]> all = new ArrayList<>(masked);
    all.add(visible);
    return all;
  }
}
