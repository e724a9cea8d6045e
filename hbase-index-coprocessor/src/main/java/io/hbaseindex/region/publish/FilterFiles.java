/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The stored filters in a region's directory: hidden files named by their ids, of which the
 * region's ledger names one. HBase leaves them alone as it does the ledger: they are part of no
 * snapshot, follow no split, and go with the directory.
 */
final class FilterFiles {
  private static final String PREFIX = ".hbaseindex-filter-";

  private final FileSystem fileSystem;
  private final Path directory;

  FilterFiles(FileSystem fileSystem, Path regionDirectory) {
    this.fileSystem = fileSystem;
    this.directory = regionDirectory;
  }

  static FilterFiles of(HRegion region) {
    var files = region.getRegionFileSystem();
    return new FilterFiles(files.getFileSystem(), files.getRegionDir());
  }

  /** Fills a file. */
  interface Content {
    void writeTo(FSDataOutputStream out) throws IOException;
  }

  /**
   * Writes a file and closes it. A stream of HDFS that has failed throws the same exception once
   * more when it is closed, so that is not left to a try-with-resources, which fails for it.
   */
  void write(long id, Content content) throws IOException {
    FSDataOutputStream out = fileSystem.create(pathOf(id), true);
    try {
      content.writeTo(out);
      out.hsync();
    } catch (IOException | RuntimeException | Error e) {
      try {
        out.close();
      } catch (IOException again) {
        if (again != e) {
          e.addSuppressed(again);
        }
      }
      throw e;
    }
    out.close();
  }

  InputStream open(long id) throws IOException {
    return fileSystem.open(pathOf(id));
  }

  /** Removes every stored filter but one. */
  void retainOnly(long id) throws IOException {
    for (FileStatus file : fileSystem.listStatus(directory)) {
      Path path = file.getPath();
      if (path.getName().startsWith(PREFIX) && !path.getName().equals(pathOf(id).getName())) {
        fileSystem.delete(path, false);
      }
    }
  }

  void delete(long id) throws IOException {
    fileSystem.delete(pathOf(id), false);
  }

  private Path pathOf(long id) {
    return new Path(directory, PREFIX + Long.toHexString(id));
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}
