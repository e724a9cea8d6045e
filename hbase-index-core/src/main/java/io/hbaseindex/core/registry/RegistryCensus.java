/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * All regions of a registry, counted.
 *
 * @param regions regions that were announced
 * @param precise those whose filter is trusted
 * @param values distinct values in all filters, by estimate
 */
@InterfaceAudience.Private
public record RegistryCensus(int regions, int precise, long values) {
  /** Counts the regions of a registry, one after another. */
  public static RegistryCensus of(FilterRegistry registry) {
    int regions = 0;
    int precise = 0;
    long values = 0;
    for (String table : registry.tableNames()) {
      for (RegionView region : registry.regions(table)) {
        regions++;
        precise += region.isPrecise() ? 1 : 0;
        values += region.size().values();
      }
    }
    return new RegistryCensus(regions, precise, values);
  }
}
