/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Replaces the text between the markers of a named section in a Markdown file, and nothing else.
 *
 * <pre>
 * &lt;!-- generated:NAME:begin --&gt;
 * whatever the last run wrote
 * &lt;!-- generated:NAME:end --&gt;
 * </pre>
 *
 * <p>The markers are placed by hand, so that the prose around a result decides where the result
 * stands; a missing, doubled or swapped marker is an error and leaves the file as it was.
 */
public final class GeneratedSections {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

  private final Path file;

  public GeneratedSections(Path file) {
    this.file = file;
  }

  /**
   * Puts {@code markdown} between the markers of {@code name}.
   *
   * @throws IllegalStateException if the file or one of the markers is missing or not unique
   */
  public void replace(String name, String markdown) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Cannot write a generated section: name was '%s'; use lower case letters, digits and '-'"
              .formatted(name));
    }
    if (!Files.isRegularFile(file)) {
      throw new IllegalStateException(
          "Cannot write section %s: %s does not exist; create it with the section's markers"
              .formatted(name, file));
    }
    try {
      Files.writeString(file, replaced(Files.readString(file), name, markdown));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write section %s of %s".formatted(name, file), e);
    }
  }

  private String replaced(String text, String name, String markdown) {
    String begin = "<!-- generated:" + name + ":begin -->";
    String end = "<!-- generated:" + name + ":end -->";
    int contentStart = positionOfOnly(text, begin) + begin.length();
    int contentEnd = positionOfOnly(text, end);
    if (contentEnd < contentStart) {
      throw new IllegalStateException(
          "Cannot write section %s of %s: its end marker stands before its begin marker"
              .formatted(name, file));
    }
    // The blank lines make Markdown see a table, not a continuation of the HTML comment.
    return text.substring(0, contentStart)
        + "\n\n"
        + markdown.strip()
        + "\n\n"
        + text.substring(contentEnd);
  }

  private int positionOfOnly(String text, String marker) {
    int position = text.indexOf(marker);
    if (position < 0) {
      throw new IllegalStateException(
          "Cannot find '%s' in %s: add the marker where the result shall stand"
              .formatted(marker, file));
    }
    if (text.indexOf(marker, position + marker.length()) >= 0) {
      throw new IllegalStateException(
          "Cannot tell where to write: '%s' stands more than once in %s; keep one"
              .formatted(marker, file));
    }
    return position;
  }
}
