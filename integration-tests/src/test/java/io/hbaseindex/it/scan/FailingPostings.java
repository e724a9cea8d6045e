/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.scan;

import io.hbaseindex.core.definition.IndexFamily;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.Store;

/** Makes every read of postings fail while it is told to, as a corrupt file would. */
public final class FailingPostings implements RegionCoprocessor, RegionObserver {
  /** HBase makes the instances, so that a test can only reach them through the class. */
  static final AtomicBoolean FAILING = new AtomicBoolean();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preStoreScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> ctx, Store store, ScanOptions options)
      throws IOException {
    if (FAILING.get() && store.getColumnFamilyName().equals(IndexFamily.NAME)) {
      throw new IOException("Cannot read the postings: the test wants it so");
    }
  }
}
