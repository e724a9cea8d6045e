/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that need a cluster or a packaged jar say so by a tag, and so can be run by it; a test
 * without a tag is fast, and is run by {@code mvn test}.
 */
class TestTagsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern TAGGED =
      Pattern.compile(
          "^@(OnSharedCluster|Tag\\(\"(cluster|chaos|packaging)\"\\))$", Pattern.MULTILINE);

  @Test
  void integrationTests_carryATag() throws IOException {
    List<Path> tests = tests("IT.java");
    assertThat(tests).isNotEmpty();
    for (Path test : tests) {
      assertThat(Files.readString(test)).as("tags of %s", test).containsPattern(TAGGED);
    }
  }

  @Test
  void fastTests_carryNoTag_andNeedNoCluster() throws IOException {
    List<Path> tests = tests("Test.java");
    assertThat(tests).isNotEmpty();
    for (Path test : tests) {
      assertThat(Files.readString(test)).as("tags of %s", test).doesNotContainPattern(TAGGED);
    }
  }

  @Test
  void missingTag_isNoticed() {
    assertThat("@OnSharedCluster\nclass SomeIT {}").containsPattern(TAGGED);
    assertThat("@Tag(\"chaos\")\nclass SomeIT {}").containsPattern(TAGGED);
    assertThat("/** On {@code @OnSharedCluster}. */\nclass SomeIT {}")
        .doesNotContainPattern(TAGGED);
    assertThat("@Tag(\"quick\")\nclass SomeIT {}").doesNotContainPattern(TAGGED);
  }

  private static List<Path> tests(String ending) throws IOException {
    List<Path> tests = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(ending)).forEach(tests::add);
          }
        }
      }
    }
    return tests;
  }
}
