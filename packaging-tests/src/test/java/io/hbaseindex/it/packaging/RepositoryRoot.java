/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import java.nio.file.Path;

/** Where the sources this build is made from lie. */
public final class RepositoryRoot {
  private RepositoryRoot() {}

  public static Path path() {
    return Path.of(System.getProperty("hbaseindex.root")).normalize();
  }
}
