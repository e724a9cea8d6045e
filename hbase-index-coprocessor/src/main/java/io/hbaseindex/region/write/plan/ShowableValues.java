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
 * @param canVanish whether the visible value can be dropped when HBase rewrites its files, so that
 *     the column may show nothing
 */
@InterfaceAudience.Private
public record ShowableValues(byte[] visible, List<byte[]> hidden, boolean canVanish) {
  static final ShowableValues NONE = new ShowableValues(null, List.of(), false);

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

  /** The values, with null standing for absence if the column is absent now or can be. */
  List<byte[]> valuesOrAbsence() {
    List<byte[]> all = new ArrayList<>(hidden);
    all.add(visible);
    if (canVanish) {
      all.add(null);
    }
    return all;
  }
}
