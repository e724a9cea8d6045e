/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The values one column of one row shows now or can show without another write.
 *
 * @param visible what readers see now, or will see when mortal values above it are gone; null if
 *     they see nothing that stays
 * @param hidden what can come into view when HBase rewrites its files, and what shows for a time
 */
@InterfaceAudience.Private
public record ShowableValues(byte[] visible, List<byte[]> hidden) {
  static final ShowableValues NONE = new ShowableValues(null, List.of());

  /** The values, without a word about absence. */
  public List<byte[]> values() {
    if (visible == null) {
      return hidden;
    }
    if (hidden.isEmpty()) {
      return List.of(visible);
    }
    List<byte[]> all = new ArrayList<>(hidden);
    all.add(visible);
    return all;
  }

  /** The values, with null standing for absence if the column is absent now. */
  List<byte[]> valuesOrAbsence() {
    List<byte[]> all = new ArrayList<>(hidden);
    all.add(visible);
    return all;
  }
}
