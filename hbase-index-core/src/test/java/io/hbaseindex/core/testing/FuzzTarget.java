/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.testing;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What the fuzz targets have in common. A target is a test class with a method {@code
 * fuzzerTestOneInput(byte[])} that gives any bytes to one decoder, and throws if the decoder does
 * what it must not: anything but reading or refusing with its documented exception. {@code
 * bin/fuzz} lets Jazzer search for such bytes; the build replays what was kept of its searches, the
 * files in {@code src/test/resources/fuzz/TARGET}.
 */
public final class FuzzTarget {
  /** What a decoder may allocate for an input of no bytes, with what a fuzzer adds to its code. */
  private static final long FIXED_BYTES = 2 << 20;

  /** What it may allocate for each byte of the input: some small objects. */
  private static final long BYTES_PER_BYTE = 1 << 10;

  /** Of so many runs the one that allocates least counts: in some of them classes are loaded. */
  private static final int RUNS = 5;

  private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz");

  private FuzzTarget() {}

  /** Gives some bytes to a decoder. */
  public interface Decoder {
    void read() throws Exception;
  }

  /** Runs a decoder, which may refuse, and must not allocate more than its input justifies. */
  public static void run(byte[] input, Class<? extends Exception> refusal, Decoder decoder) {
    run(input, 0, refusal, decoder);
  }

  /**
   * Runs a decoder.
   *
   * @param allowance bytes that the caller of the decoder has allowed it beyond its input
   */
  public static void run(
      byte[] input, long allowance, Class<? extends Exception> refusal, Decoder decoder) {
    long allowed = FIXED_BYTES + BYTES_PER_BYTE * input.length + allowance;
    long least = Long.MAX_VALUE;
    for (int run = 0; run < RUNS && least > allowed; run++) {
      least = Math.min(least, allocated(refusal, decoder));
    }
    if (least > allowed) {
      throw new AssertionError(
          "%d bytes were allocated for an input of %d".formatted(least, input.length));
    }
  }

  private static long allocated(Class<? extends Exception> refusal, Decoder decoder) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      decoder.read();
    } catch (Exception e) {
      if (!refusal.isInstance(e)) {
        throw new AssertionError("Refused with " + e + " instead of " + refusal.getName(), e);
      }
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  /** Gives a target every file of its corpus. */
  public static void replay(String target, Consumer<byte[]> fuzzerTestOneInput) {
    List<Path> files = files(CORPUS.resolve(target));
    if (files.isEmpty()) {
      throw new AssertionError("No corpus in " + CORPUS.resolve(target).toAbsolutePath());
    }
    for (Path file : files) {
      try {
        fuzzerTestOneInput.accept(Files.readAllBytes(file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (RuntimeException | Error e) {
        throw new AssertionError("Failed with " + file.toAbsolutePath(), e);
      }
    }
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
