/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** Closes every one of several resources, even if some fail; the first failure is thrown. */
final class CloseAll {

  private CloseAll() {}

  static void close(List<? extends Closeable> resources) throws IOException {
    IOException failure = null;
    for (Closeable resource : resources) {
      try {
        resource.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else if (failure != e) { // streams of HDFS throw one exception again and again
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
