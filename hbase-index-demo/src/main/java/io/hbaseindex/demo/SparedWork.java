/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

/** Says in plain words what an indexed answer has been spared. */
final class SparedWork {
  private SparedWork() {}

  static String of(TimedAnswer indexed, TimedAnswer plain, int allRegions) {
    int regions = indexed.cost().regions();
    int skipped = allRegions - regions;
    long spared = plain.rowsRead() - indexed.rowsRead();
    if (regions == 0) {
      return "The filters at the master rule out all %d regions: no region server was asked at all."
          .formatted(allRegions);
    }
    String jumped =
        "the scan jumped straight to the rows that match. %,d rows were never read."
            .formatted(spared);
    if (skipped == 0) {
      return "Any of the %d regions may hold such a row; there %s".formatted(regions, jumped);
    }
    return "The filters at the master rule out %d of %d regions; in the remaining %d %s"
        .formatted(skipped, allRegions, regions, jumped);
  }
}
