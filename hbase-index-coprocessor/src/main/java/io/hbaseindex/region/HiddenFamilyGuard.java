/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region;

import io.hbaseindex.core.definition.IndexFamily;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Keeps the hidden family out of users' reads.
 *
 * <p>When a read names no family, HBase names all of them before any hook runs; the hidden one is
 * taken out again. A read that named it itself is refused. A read that names every family of the
 * table as a whole cannot be told from one that names none, and is treated like it.
 */
final class HiddenFamilyGuard {
  private static final byte[] NAME = IndexFamily.bytes();

  private HiddenFamilyGuard() {}

  /**
   * @param families how many families the table has, the hidden one included
   * @throws DoNotRetryIOException if the scan asks for postings
   */
  static void hideFrom(Scan scan, int families) throws DoNotRetryIOException {
    hideFrom(scan.getFamilyMap(), families);
  }

  /**
   * @param families how many families the table has, the hidden one included
   * @throws DoNotRetryIOException if the get asks for postings
   */
  static void hideFrom(Get get, int families) throws DoNotRetryIOException {
    hideFrom(get.getFamilyMap(), families);
  }

  private static void hideFrom(Map<byte[], NavigableSet<byte[]>> wanted, int families)
      throws DoNotRetryIOException {
    if (!wanted.containsKey(NAME)) {
      return;
    }
    if (wanted.get(NAME) != null || wanted.size() < families) {
      throw new DoNotRetryIOException(
          "Cannot read family "
              + IndexFamily.NAME
              + ": it holds the index of the table and is not for users; name other families");
    }
    wanted.remove(NAME);
  }
}
