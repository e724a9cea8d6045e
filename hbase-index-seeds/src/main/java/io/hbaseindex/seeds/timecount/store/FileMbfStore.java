/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.timecount.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One file per filter in a directory of its own; one owner at a time, held by a lock file.
 *
 * <p>A file is written under a temporary name, forced to disk and renamed, and the directory is
 * forced too. Temporary files of a crashed owner are removed when the next one opens the directory;
 * other files are left alone.
 */
@InterfaceAudience.Private
public final class FileMbfStore implements MbfStore, Closeable {
  private static final String LOCK_NAME = "LOCK";
  private static final String TEMPORARY_SUFFIX = ".tmp";
  private static final Pattern NAME = Pattern.compile("([0-9a-f]{16})-([0-9a-f]{16})\\.mbf");

  private final Path directory;
  private final FileChannel lockFile;

  private FileMbfStore(Path directory, FileChannel lockFile) {
    this.directory = directory;
    this.lockFile = lockFile;
  }

  /**
   * Opens a directory, which is created if need be.
   *
   * @throws IOException if it cannot be used, or another store has it open
   */
  public static FileMbfStore open(Path directory) throws IOException {
    Files.createDirectories(directory);
    FileChannel lockFile =
        FileChannel.open(
            directory.resolve(LOCK_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      requireLock(directory, lockFile);
      deleteTemporaries(directory);
      return new FileMbfStore(directory, lockFile);
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  private static void requireLock(Path directory, FileChannel lockFile) throws IOException {
    FileLock lock;
    try {
      lock = lockFile.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException(
          "Cannot open " + directory + ": another store has it open; close that one first");
    }
  }

  private static void deleteTemporaries(Path directory) throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, "*" + TEMPORARY_SUFFIX)) {
      for (Path file : left) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void write(MbfId id, Content content) throws IOException {
    Path target = fileOf(id);
    Path temporary = target.resolveSibling(target.getFileName() + TEMPORARY_SUFFIX);
    try {
      writeDurably(temporary, content);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceDirectory();
  }

  @Override
  public InputStream read(MbfId id) throws IOException {
    return Files.newInputStream(fileOf(id));
  }

  @Override
  public void delete(MbfId id) throws IOException {
    if (Files.deleteIfExists(fileOf(id))) {
      forceDirectory();
    }
  }

  @Override
  public List<MbfId> list() throws IOException {
    List<MbfId> ids = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          ids.add(
              new MbfId(
                  Long.parseUnsignedLong(name.group(1), 16),
                  Long.parseUnsignedLong(name.group(2), 16)));
        }
      }
    }
    return ids;
  }

  /** Gives the directory up; the filters in it stay. */
  @Override
  public void close() throws IOException {
    lockFile.close();
  }

  private static void writeDurably(Path file, Content content) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        OutputStream out = Channels.newOutputStream(channel)) {
      content.writeTo(out);
      channel.force(true);
    }
  }

  private Path fileOf(MbfId id) {
    return directory.resolve(String.format("%016x-%016x.mbf", id.first(), id.last()));
  }

  private void forceDirectory() throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
