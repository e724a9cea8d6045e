/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.testing;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What the fuzz targets have in common. A target is a test class with a method {@code
 * fuzzerTestOneInput(byte[])} that gives any bytes to one decoder, and throws if the decoder does
 * what it must not: anything but reading or refusing with its documented exception. {@code
 * bin/fuzz} lets Jazzer search for such bytes. The build replays what was kept of its searches, the
 * files in {@code src/test/resources/fuzz/TARGET}, and tries some random changes of each.
 */
public final class FuzzTarget {
  /**
   * What a decoder may allocate for an input of no bytes. More where a fuzzer has added to its
   * code, for that allocates, too; what such a search keeps is replayed without.
   */
  private static final long FIXED_BYTES = Long.getLong("hbaseindex.fuzz.fixed", 2 << 20);

  /** What it may allocate for each byte of the input: some small objects. */
  private static final long BYTES_PER_BYTE = 1 << 10;

  /** Of so many runs the one that allocates least counts: in some of them classes are loaded. */
  private static final int RUNS = 5;

  /** How many changed inputs the build tries. */
  private static final int CHANGED = 2_000;

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

  /** Gives a target every file of its corpus, and many inputs that are a little different. */
  public static void replay(String target, Consumer<byte[]> fuzzerTestOneInput) {
    List<Path> files = files(CORPUS.resolve(target));
    if (files.isEmpty()) {
      throw new AssertionError("No corpus in " + CORPUS.resolve(target).toAbsolutePath());
    }
    List<byte[]> corpus = files.stream().map(FuzzTarget::bytes).toList();
    for (int i = 0; i < corpus.size(); i++) {
      offer(corpus.get(i), files.get(i).toAbsolutePath().toString(), fuzzerTestOneInput);
    }
    Seeds.forEach(
        CHANGED,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          byte[] changed = changed(corpus, random);
          offer(changed, HexFormat.of().formatHex(changed), fuzzerTestOneInput);
        });
  }

  private static void offer(byte[] input, String name, Consumer<byte[]> fuzzerTestOneInput) {
    try {
      fuzzerTestOneInput.accept(input);
    } catch (RuntimeException | Error e) {
      throw new AssertionError("Failed with " + name, e);
    }
  }

  /** One input of the corpus with one to four changes, some of them by bytes of another input. */
  private static byte[] changed(List<byte[]> corpus, SplittableRandom random) {
    byte[] bytes = corpus.get(random.nextInt(corpus.size())).clone();
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      int at = random.nextInt(bytes.length + 1);
      byte[] other = corpus.get(random.nextInt(corpus.size()));
      int from = random.nextInt(other.length + 1);
      byte[] part = Arrays.copyOfRange(other, from, from + random.nextInt(other.length - from + 1));
      switch (random.nextInt(5)) {
        case 0 -> bytes = Arrays.copyOf(bytes, at);
        case 1 -> bytes = joined(bytes, at, part, at);
        case 2 -> bytes = joined(bytes, at, part, Math.min(bytes.length, at + part.length));
        case 3 -> bytes = joined(bytes, at, new byte[] {(byte) random.nextInt(256)}, at);
        default -> {
          if (at < bytes.length) {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
          }
        }
      }
    }
    return bytes;
  }

  /** The bytes up to one position, the part, and the bytes from another position on. */
  private static byte[] joined(byte[] bytes, int until, byte[] part, int from) {
    ByteBuffer joined = ByteBuffer.allocate(until + part.length + bytes.length - from);
    joined.put(bytes, 0, until).put(part).put(bytes, from, bytes.length - from);
    return joined.array();
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
