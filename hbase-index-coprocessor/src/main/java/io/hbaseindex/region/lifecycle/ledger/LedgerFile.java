/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the ledger in a hidden file of the region's directory.
 *
 * <p>HBase ignores files there whose name starts with a dot: they are neither families nor part of
 * a snapshot, they do not follow a split, and they go when the region's directory goes.
 *
 * <p>Every opening of the region writes a file of its own, whose name has a higher number than any
 * before, and the highest number counts. So a server that has lost the region without noticing it
 * cannot speak for the one that has it now, however late it writes. Two openings that began from
 * the same file have the same number, and names that differ all the same; then neither is believed.
 */
@InterfaceAudience.Private
public final class LedgerFile implements LedgerStore {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerFile.class);

  private static final String PREFIX = ".hbaseindex-ledger-";
  private static final Pattern NAME = Pattern.compile("\\.hbaseindex-ledger-(\\d{1,18})-[0-9a-f]+");
  private static final String TEMPORARY = ".tmp";

  /** Far more than any region needs; a longer file is not ours. */
  private static final long MAX_LENGTH = 64L << 20;

  private final FileSystem fileSystem;
  private final FileContext context;
  private final Path directory;

  /** The file of this opening; null until the directory was looked at. */
  private Path own;

  /** What earlier openings have left; goes when this one has a file. */
  private final Set<Path> earlier = new HashSet<>();

  private LedgerFile(FileSystem fileSystem, FileContext context, Path regionDirectory) {
    this.fileSystem = fileSystem;
    this.context = context;
    this.directory = regionDirectory;
  }

  /**
   * The ledger of a region that is being opened. Call this as the region server's own user: the
   * file is accessed as whoever makes this call, whichever user's request leads to a change later.
   */
  public static LedgerFile in(FileSystem fileSystem, Path regionDirectory, Configuration conf)
      throws IOException {
    // A plain file system cannot rename over an existing file in one step; a file context can.
    FileContext context = FileContext.getFileContext(fileSystem.getUri(), conf);
    return new LedgerFile(fileSystem, context, regionDirectory);
  }

  /** Whether a file in a region's directory is a ledger. */
  public static boolean isLedger(Path path) {
    return NAME.matcher(path.getName()).matches();
  }

  @Override
  public synchronized Optional<LedgerRecord> read() throws IOException {
    List<FileStatus> latest = latest();
    if (latest.size() > 1) {
      throw new IOException(
          "Cannot tell which ledger counts: two openings have left %s and %s"
              .formatted(latest.get(0).getPath(), latest.get(1).getPath()));
    }
    // What is empty stands for no ledger.
    if (latest.isEmpty() || latest.get(0).getLen() == 0) {
      return Optional.empty();
    }
    return Optional.of(LedgerCodec.decode(contentOf(latest.get(0))));
  }

  /** The files of the highest number. Chooses the own name when it looks for the first time. */
  private List<FileStatus> latest() throws IOException {
    List<FileStatus> latest = new ArrayList<>();
    List<Path> found = new ArrayList<>();
    long highest = 0;
    for (FileStatus file : fileSystem.listStatus(directory)) {
      Path path = file.getPath();
      Matcher name = NAME.matcher(path.getName());
      if (name.matches()) {
        long number = Long.parseLong(name.group(1));
        if (number > highest) {
          latest.clear();
        }
        if (number >= highest) {
          latest.add(file);
          highest = number;
        }
      }
      if (path.getName().startsWith(PREFIX)) {
        found.add(path);
      }
    }
    if (own == null) {
      long unique = ThreadLocalRandom.current().nextLong();
      own = new Path(directory, PREFIX + (highest + 1) + "-" + Long.toHexString(unique));
      earlier.addAll(found);
    }
    return latest;
  }

  private byte[] contentOf(FileStatus file) throws IOException {
    if (file.getLen() > MAX_LENGTH) {
      throw new IOException(
          "Cannot read %s: it has %d bytes, a ledger at most %d"
              .formatted(file.getPath(), file.getLen(), MAX_LENGTH));
    }
    try (FSDataInputStream in = fileSystem.open(file.getPath())) {
      return in.readNBytes((int) file.getLen());
    }
  }

  @Override
  public synchronized void replace(LedgerRecord record) throws IOException {
    requireOwn();
    Path temporary = own.suffix(TEMPORARY);
    writeTo(fileSystem.create(temporary, true), LedgerCodec.encode(record));
    context.rename(temporary, own, Options.Rename.OVERWRITE);
    removeEarlier();
  }

  /** Takes over the file of the opening before, or leaves an empty one if there was none. */
  @Override
  public synchronized void claim() throws IOException {
    List<FileStatus> latest = latest();
    if (latest.size() != 1) {
      delete();
    } else if (!latest.get(0).getPath().getName().equals(own.getName())) {
      context.rename(latest.get(0).getPath(), own);
    }
  }

  private void requireOwn() throws IOException {
    if (own == null) {
      latest();
    }
  }

  /** They count no more; what cannot be removed now goes with a later write. */
  private void removeEarlier() {
    for (Iterator<Path> left = earlier.iterator(); left.hasNext(); ) {
      Path path = left.next();
      try {
        fileSystem.delete(path, false);
        left.remove();
      } catch (IOException e) {
        LOG.warn("Cannot remove the ledger {} of an earlier opening; it is tried again", path, e);
        return;
      }
    }
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

  /** An empty file counts as none, needs no room, and lets nobody speak up who came before. */
  @Override
  public synchronized void delete() throws IOException {
    requireOwn();
    fileSystem.create(own, true).close();
    removeEarlier();
  }

  @Override
  public synchronized String toString() {
    return own == null ? directory.toString() : own.toString();
  }
}
