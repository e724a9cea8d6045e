/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Keeps the ledger in a hidden file of the region's directory.
 *
 * <p>HBase ignores files there whose name starts with a dot: they are neither families nor part of
 * a snapshot, they do not follow a split, and they go when the region's directory goes.
 */
@InterfaceAudience.Private
public final class LedgerFile implements LedgerStore {

  static final String NAME = ".hbaseindex";
  private static final String TEMPORARY_NAME = NAME + ".tmp";

  /** Far more than any region needs; a longer file is not ours. */
  private static final long MAX_LENGTH = 64L << 20;

  private final FileSystem fileSystem;
  private final FileContext context;
  private final Path path;
  private final Path temporary;

  private LedgerFile(FileSystem fileSystem, FileContext context, Path regionDirectory) {
    this.fileSystem = fileSystem;
    this.context = context;
    this.path = new Path(regionDirectory, NAME);
    this.temporary = new Path(regionDirectory, TEMPORARY_NAME);
  }

  /**
   * The ledger of a region. Call this as the region server's own user: the file is accessed as
   * whoever makes this call, whichever user's request leads to a change later.
   */
  public static LedgerFile in(FileSystem fileSystem, Path regionDirectory, Configuration conf)
      throws IOException {
    // A plain file system cannot rename over an existing file in one step; a file context can.
    FileContext context = FileContext.getFileContext(fileSystem.getUri(), conf);
    return new LedgerFile(fileSystem, context, regionDirectory);
  }

  @Override
  public Optional<LedgerRecord> read() throws IOException {
    byte[] blob;
    try (FSDataInputStream in = fileSystem.open(path)) {
      long length = fileSystem.getFileStatus(path).getLen();
      if (length > MAX_LENGTH) {
        throw new IOException(
            "Cannot read "
                + path
                + ": it has "
                + length
                + " bytes, a ledger at most "
                + MAX_LENGTH);
      }
      blob = in.readNBytes((int) length);
    } catch (FileNotFoundException none) {
      return Optional.empty();
    }
    return Optional.of(LedgerCodec.decode(blob));
  }

  @Override
  public void replace(LedgerRecord record) throws IOException {
    writeTo(fileSystem.create(temporary, true), LedgerCodec.encode(record));
    context.rename(temporary, path, Options.Rename.OVERWRITE);
  }

  /**
   * Writes and closes. A stream of HDFS that has failed throws the same exception once more when it
   * is closed, which a try-with-resources would try to add to itself, and fail for that reason.
   */
  private static void writeTo(FSDataOutputStream out, byte[] blob) throws IOException {
    try {
      out.write(blob);
      out.hsync();
    } catch (IOException e) {
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

  @Override
  public void delete() throws IOException {
    fileSystem.delete(path, false);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
