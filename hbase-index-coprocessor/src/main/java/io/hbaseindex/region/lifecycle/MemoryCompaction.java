/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.CompactingMemStore;

/** Tells whether HBase drops versions of a family's cells while they are in memory only. */
final class MemoryCompaction {
  private MemoryCompaction() {}

  /**
   * Whether versions may vanish from memory that the log still has: overwritten and deleted ones,
   * and all but the last of one timestamp. The policies that only flatten or join what is in memory
   * leave every cell there.
   *
   * @param configuration of the store, which decides where the family does not
   */
  static boolean dropsVersions(ColumnFamilyDescriptor family, Configuration configuration) {
    MemoryCompactionPolicy own = family.getInMemoryCompaction();
    String policy =
        own != null
            ? own.name()
            : configuration
                .get(
                    CompactingMemStore.COMPACTING_MEMSTORE_TYPE_KEY,
                    CompactingMemStore.COMPACTING_MEMSTORE_TYPE_DEFAULT)
                .toUpperCase(Locale.ROOT);
    return !policy.equals(MemoryCompactionPolicy.NONE.name())
        && !policy.equals(MemoryCompactionPolicy.BASIC.name());
  }
}
