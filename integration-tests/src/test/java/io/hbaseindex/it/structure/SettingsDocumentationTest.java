/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/SETTINGS.md describes every setting there is, and none that there is not. */
class SettingsDocumentationTest {
  private static final Path ROOT = Path.of("..");
  private static final List<Path> OF_NO_PRODUCT =
      List.of(ROOT.resolve("benchmarks"), ROOT.resolve("test-support"));
  private static final Pattern IN_SOURCES = Pattern.compile("\"(hbaseindex\\.[a-z.-]*[a-z])\"");
  private static final Pattern IN_TABLE =
      Pattern.compile("^\\| `(hbaseindex\\.[a-z.-]*[a-z])`", Pattern.MULTILINE);

  /**
   * Names of other things: a launcher's properties, requests in the audit log, marks in the log.
   */
  private static final Pattern NO_SETTING =
      Pattern.compile("hbaseindex\\.(demo\\..*|cli\\..*|status|route|indexed|after-loss)");

  @Test
  void everySettingOfTheSources_isDescribed() throws IOException {
    assertThat(described()).isNotEmpty().containsAll(read());
  }

  @Test
  void everySettingDescribed_isRead() throws IOException {
    assertThat(read()).isNotEmpty().containsAll(described());
  }

  @Test
  void everyTime_saysItsUnit() throws IOException {
    Pattern time = Pattern.compile("timeout|wait|lease|period|interval|delay|pause|keep|staleness");
    assertThat(read())
        .filteredOn(name -> time.matcher(name).find())
        .isNotEmpty()
        .allMatch(name -> name.endsWith("-ms"));
  }

  private static Set<String> described() throws IOException {
    return matches(IN_TABLE, Files.readString(ROOT.resolve("docs/SETTINGS.md")));
  }

  private static Set<String> read() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path main : modules.map(module -> module.resolve("src/main/java")).toList()) {
        if (Files.isDirectory(main) && OF_NO_PRODUCT.stream().noneMatch(main::startsWith)) {
          names.addAll(readIn(main));
        }
      }
    }
    names.removeIf(name -> NO_SETTING.matcher(name).matches());
    return names;
  }

  private static Set<String> readIn(Path sources) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        names.addAll(matches(IN_SOURCES, Files.readString(file)));
      }
    }
    return names;
  }

  private static Set<String> matches(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
    return found;
  }
}
