/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedSectionsTest {
  private static final String TWO_SECTIONS =
      """
      # Results
      before
      <!-- generated:first:begin -->
      old
      <!-- generated:first:end -->
      between
      <!-- generated:second:begin --><!-- generated:second:end -->
      after
      """;

  @TempDir private Path directory;
  private Path file;
  private GeneratedSections sections;

  @BeforeEach
  void createFile() throws IOException {
    file = directory.resolve("RESULTS.md");
    Files.writeString(file, TWO_SECTIONS);
    sections = new GeneratedSections(file);
  }

  @Test
  void replace_namedSection_leavesTheRestAlone() throws IOException {
    sections.replace("first", "new $1 \\ text\n");

    assertThat(file)
        .hasContent(
            """
            # Results
            before
            <!-- generated:first:begin -->

            new $1 \\ text

            <!-- generated:first:end -->
            between
            <!-- generated:second:begin --><!-- generated:second:end -->
            after
            """);
  }

  @Test
  void replace_emptySection_isFilled() throws IOException {
    sections.replace("second", "x");

    assertThat(file)
        .content()
        .contains("<!-- generated:second:begin -->\n\nx\n\n<!-- generated:second:end -->\nafter");
  }

  @Test
  void replace_twice_givesTheSameFile() throws IOException {
    sections.replace("first", "x");
    String once = Files.readString(file);

    sections.replace("first", "x");

    assertThat(file).hasContent(once);
  }

  @Test
  void replace_unknownSection_namesTheMissingMarker() {
    assertThatIllegalStateException()
        .isThrownBy(() -> sections.replace("third", "x"))
        .withMessageContaining("<!-- generated:third:begin -->")
        .withMessageContaining("RESULTS.md");
    assertThat(file).hasContent(TWO_SECTIONS);
  }

  @Test
  void replace_missingEndMarker_leavesTheFileAlone() throws IOException {
    String broken = TWO_SECTIONS.replace("<!-- generated:first:end -->", "");
    Files.writeString(file, broken);

    assertThatIllegalStateException()
        .isThrownBy(() -> sections.replace("first", "x"))
        .withMessageContaining("<!-- generated:first:end -->");
    assertThat(file).hasContent(broken);
  }

  @Test
  void replace_doubledMarker_isRefused() throws IOException {
    Files.writeString(file, TWO_SECTIONS + TWO_SECTIONS);

    assertThatIllegalStateException()
        .isThrownBy(() -> sections.replace("first", "x"))
        .withMessageContaining("more than once");
  }

  @Test
  void replace_swappedMarkers_isRefused() throws IOException {
    Files.writeString(file, "<!-- generated:a:end --><!-- generated:a:begin -->");

    assertThatIllegalStateException()
        .isThrownBy(() -> sections.replace("a", "x"))
        .withMessageContaining("stands before");
  }

  @Test
  void replace_missingFile_isRefused() {
    GeneratedSections absent = new GeneratedSections(directory.resolve("absent.md"));

    assertThatIllegalStateException()
        .isThrownBy(() -> absent.replace("a", "x"))
        .withMessageContaining("absent.md does not exist");
  }

  @Test
  void replace_badName_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sections.replace("Tables 2", "x"))
        .withMessageContaining("'Tables 2'");
  }
}
