/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle;

import java.util.Collection;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;

/** How the ledger names store files: {@code family/name}. */
final class StoreFileNames {

  private StoreFileNames() {}

  static String of(Store store, StoreFile file) {
    return of(store.getColumnFamilyName(), file.getPath());
  }

  static String of(String family, Path file) {
    return family + Path.SEPARATOR + file.getName();
  }

  /** All files that the region uses at this moment. */
  static Collection<String> allOf(Region region) {
    Collection<String> names = new TreeSet<>();
    for (Store store : region.getStores()) {
      for (StoreFile file : store.getStorefiles()) {
        names.add(of(store, file));
      }
    }
    return names;
  }
}
