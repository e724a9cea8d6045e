/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The directory that everything of the demo lives in, and that is gone when the process is.
 *
 * <p>The servers are threads of this process, and nothing they hold is to survive it. So the end is
 * not a shutdown, which takes its time and may be interrupted, but the deletion of the directory
 * and an immediate halt: the same few lines on a good end, a failure and Ctrl-C.
 *
 * <p>Until the very halt the servers go on making directories, so this process cannot be the last
 * one to delete. An {@linkplain #startUndertaker undertaker} outlives it by a moment and removes
 * what is left, after {@code kill -9} too.
 */
final class Workspace {
  /** Servers go on writing while their files are deleted; each round leaves less. */
  private static final int DELETION_ROUNDS = 50;

  /**
   * Reads until the other end of its input is closed, which is when this process is no more. The
   * signals it ignores are those a terminal sends to both.
   */
  private static final String UNDERTAKER = "trap '' INT TERM HUP; read -r _; rm -rf -- \"$1\"";

  private final Path directory;

  private Workspace(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes the directory and arranges for its end. To be called before anything else of the process
   * makes a temporary file: those are to be inside as well.
   *
   * @param interrupted told when the process ends from outside, before anything is deleted
   */
  static Workspace open(Runnable interrupted) throws IOException {
    String name = "hbase-index-demo-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    Workspace workspace = new Workspace(Path.of(System.getProperty("java.io.tmpdir"), name));
    // First the end, then what is to be ended: a signal may come in between.
    workspace.startUndertaker();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  interrupted.run();
                  workspace.end(DemoExitCode.INTERRUPTED);
                },
                "demo-end"));
    System.setProperty("java.io.tmpdir", workspace.subdirectory("tmp").toString());
    return workspace;
  }

  private void startUndertaker() throws IOException {
    new ProcessBuilder("/bin/sh", "-c", UNDERTAKER, "hbase-index-demo-end", directory.toString())
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  synchronized Path subdirectory(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  /** Deletes the directory and ends the process. Does not return. */
  synchronized void end(DemoExitCode code) {
    for (int round = 0; Files.exists(directory) && round < DELETION_ROUNDS; round++) {
      try {
        Files.walkFileTree(directory, new Deletion());
      } catch (IOException | UncheckedIOException e) {
        // A server has just made or removed a file in there: the next round deals with it.
        continue;
      }
    }
    Runtime.getRuntime().halt(code.number());
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
