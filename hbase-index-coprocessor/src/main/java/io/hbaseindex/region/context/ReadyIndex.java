/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * An index that readers may rely on, from the moment it became ready until it is so no more. Equal
 * to nothing but itself, so that two such times are never mixed up.
 */
@InterfaceAudience.Private
public final class ReadyIndex {
  private final long certainAfter;

  /**
   * @param certainAfter the timestamp of the region's postings at which the index began to be built
   */
  public ReadyIndex(long certainAfter) {
    this.certainAfter = certainAfter;
  }

  /**
   * The timestamp up to which no posting is taken for certain, whatever it says. Such postings are
   * from before the index was built; its rows may have been changed without it then, by a bulk load
   * for one. The build has written every posting that rows call for with a later timestamp.
   */
  public long certainAfter() {
    return certainAfter;
  }
}
