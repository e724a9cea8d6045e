/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page.model;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How far builds are, of one index or of one region.
 *
 * @param regions regions that build
 * @param rowsDone rows they have gone through
 * @param rowsExpected rows they have to go through, by estimate; 0 if one of them does not know
 */
@InterfaceAudience.Private
public record Building(int regions, long rowsDone, long rowsExpected) {
  /** Nothing is being built. */
  public static final Building NOTHING = new Building(0, 0, 0);

  /** One region. */
  public static Building inOneRegion(long rowsDone, long rowsExpected) {
    return new Building(1, rowsDone, rowsExpected);
  }

  /** Both together. */
  public Building and(Building other) {
    if (regions == 0) {
      return other;
    }
    if (other.regions == 0) {
      return this;
    }
    boolean known = rowsExpected > 0 && other.rowsExpected > 0;
    return new Building(
        regions + other.regions,
        rowsDone + other.rowsDone,
        known ? rowsExpected + other.rowsExpected : 0);
  }

  /** Which part of the rows was gone through; 0 if nobody knows. */
  public double share() {
    return rowsExpected <= 0 ? 0 : Math.min(1, (double) rowsDone / rowsExpected);
  }
}
