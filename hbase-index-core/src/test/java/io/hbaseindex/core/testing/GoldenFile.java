/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The bytes of one stored or sent form, kept in the tree since the form was made: {@code
 * src/test/resources/golden/NAME.golden} of the module that has the form.
 *
 * <p>A test encodes a fixed value and compares, then decodes what the file has: a writer that
 * changed fails the first, a reader that changed the second. Bytes are written in hex, 32 a line.
 *
 * <p>{@code -Dhbaseindex.golden.write=true} writes the files anew instead of comparing.
 */
public final class GoldenFile {
  /** Set to true, this system property has the files written anew. */
  public static final String WRITE = "hbaseindex.golden.write";

  private static final Path DIRECTORY = Path.of("src", "test", "resources", "golden");
  private static final int HEX_DIGITS_PER_LINE = 64;

  private GoldenFile() {}

  /** The bytes that the file of a form has; fails if they are not what is encoded now. */
  public static byte[] bytes(String form, byte[] encodedNow) {
    String hex = HexFormat.of().formatHex(encodedNow);
    StringBuilder lines = new StringBuilder();
    for (int at = 0; at < hex.length(); at += HEX_DIGITS_PER_LINE) {
      lines.append(hex, at, Math.min(hex.length(), at + HEX_DIGITS_PER_LINE)).append('\n');
    }
    return HexFormat.of().parseHex(text(form, lines.toString()).replace("\n", ""));
  }

  /** The bytes of a form that is read, and no longer written. */
  public static byte[] stored(String form) throws IOException {
    Path file = DIRECTORY.resolve(form + ".golden");
    return HexFormat.of().parseHex(Files.readString(file).replace("\n", ""));
  }

  /** The text that the file of a form has; fails if it is not what is encoded now. */
  public static String text(String form, String encodedNow) {
    Path file = DIRECTORY.resolve(form + ".golden");
    try {
      if (Boolean.getBoolean(WRITE)) {
        Files.createDirectories(DIRECTORY);
        Files.writeString(file, encodedNow, StandardCharsets.UTF_8);
      }
      String golden = Files.readString(file, StandardCharsets.UTF_8);
      if (!golden.equals(encodedNow)) {
        throw new AssertionError(changed(file, golden, encodedNow));
      }
      return golden;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot compare with %s: write it with -D%s=true".formatted(file.toAbsolutePath(), WRITE),
          e);
    }
  }

  private static String changed(Path file, String golden, String encodedNow) {
    return """
        The form in %s has changed. What was stored or is sent by another release has the form
        %s
        and this code writes
        %s
        If that is an accident, mend the code. If it is meant: give the form a new version (BlobKind, \
        or the format number of its own), say in docs/FORMAT.md what changed and how the old version is \
        met, and write the file anew with -D%s=true."""
        .formatted(file, golden, encodedNow, WRITE);
  }
}
