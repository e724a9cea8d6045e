/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes files that can be bulk loaded. */
public final class LoadableFiles {
  private LoadableFiles() {}

  /**
   * Writes one file.
   *
   * @param directory what is going to be loaded; the file is put where its family's files belong
   * @param cells of one family, in order
   */
  public static void write(TestCluster cluster, Path directory, List<KeyValue> cells)
      throws IOException {
    String family = Bytes.toString(CellUtil.cloneFamily(cells.get(0)));
    Configuration conf = cluster.configuration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(
                cluster.utility().getTestFileSystem(),
                new Path(new Path(directory, family), "file"))
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
    }
  }
}
