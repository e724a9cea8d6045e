/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the rules, the walk, the rooms and the glossary of the docs name is there. */
class RulesDocumentationTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w*)(?:\\.(\\w+))?`");

  @Test
  void rules_areComplete() throws IOException {
    List<String> rules = rows("docs/RULES.md").stream().map(cells -> cells.get(0)).toList();

    assertThat(rules).containsAll(numbered("P", 13)).containsAll(numbered("F", 5));
    assertThat(rules).containsAll(numbered("M", 8)).containsAll(numbered("R", 4));
  }

  @Test
  void classesAndTestsOfRules_exist() throws IOException {
    Map<String, String> main = sources("src/main/java");
    Map<String, String> test = sources("src/test/java");
    for (List<String> cells : rows("docs/RULES.md")) {
      requireAll(cells.get(cells.size() - 2), main, cells.get(0));
      requireAll(cells.get(cells.size() - 1), test, cells.get(0));
    }
  }

  @ParameterizedTest
  @CsvSource({"A put, 14", "A bit, 20", "A scan, 12"})
  void walk_namesClassesThatExist_andFewOfThem(String walk, int most) throws IOException {
    Map<String, String> main = sources("src/main/java");
    String page = Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"));
    String section = page.split("\n### " + Pattern.quote(walk) + "\n")[1].split("\n##")[0];

    List<List<String>> hops = rowsOf(section);
    assertThat(hops).hasSizeBetween(1, most);
    for (List<String> hop : hops) {
      requireAll(hop.get(1), main, walk);
    }
    NAMED.matcher(section).results().forEach(name -> require(name, main, walk));
  }

  @Test
  void classesOfTheGlossary_exist() throws IOException {
    Map<String, String> main = sources("src/main/java");
    String glossary = Files.readString(ROOT.resolve("docs/GLOSSARY.md"));
    for (List<String> cells : rowsOf(glossary.split("\n## Classes of publishing\n")[1])) {
      requireAll(cells.get(0), main, "the glossary");
    }
  }

  @Test
  void rooms_areAllPackagesOfTheProduct() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"));
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(RulesDocumentationTest::isProduct).toList()) {
        Path main = module.resolve("src/main/java/io/hbaseindex");
        try (Stream<Path> files = Files.walk(main)) {
          for (Path file : files.filter(f -> f.endsWith("package-info.java")).toList()) {
            String room = main.relativize(file.getParent()).toString().replace('/', '.');
            assertThat(page).as("the rooms of %s", module).contains("`" + room + "`");
          }
        }
      }
    }
  }

  @Test
  void nameOfNothing_isNoticed() {
    Map<String, String> sources = Map.of("There", "class There { void member() {} }");

    requireAll("`There`, `There.member`", sources, "a test");
    for (String wrong : List.of("`Gone`", "`There.gone`", "no name")) {
      assertThatThrownBy(() -> requireAll(wrong, sources, "a test"))
          .isInstanceOf(AssertionError.class);
    }
  }

  private static boolean isProduct(Path module) {
    return module.getFileName().toString().startsWith("hbase-index-")
        && Files.isDirectory(module.resolve("src/main/java/io/hbaseindex"));
  }

  private static void requireAll(String cell, Map<String, String> sources, String where) {
    List<MatchResult> names = NAMED.matcher(cell).results().toList();
    assertThat(names).as("what %s names in: %s", where, cell).isNotEmpty();
    names.forEach(name -> require(name, sources, where));
  }

  private static void require(MatchResult name, Map<String, String> sources, String where) {
    assertThat(sources.containsKey(name.group(1)))
        .as("%s, named by %s, is a source file", name.group(1), where)
        .isTrue();
    if (name.group(2) != null) {
      Pattern member = Pattern.compile("\\b" + name.group(2) + "\\b");
      assertThat(sources.get(name.group(1))).as(name.group()).containsPattern(member);
    }
  }

  private static List<String> numbered(String letter, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(number -> letter + number).toList();
  }

  private static List<List<String>> rows(String page) throws IOException {
    return rowsOf(Files.readString(ROOT.resolve(page)));
  }

  /** The cells of each row below the head of a table. */
  private static List<List<String>> rowsOf(String text) {
    List<List<String>> rows = new ArrayList<>();
    boolean body = false;
    for (String line : text.lines().toList()) {
      if (body && line.startsWith("|")) {
        rows.add(Stream.of(line.substring(1).split("\\|")).map(String::strip).toList());
      }
      body = line.startsWith("|---") || body && line.startsWith("|");
    }
    return rows;
  }

  /** The text of every source file of the repository, by the name of its class. */
  private static Map<String, String> sources(String folder) throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.map(path -> path.resolve(folder)).toList()) {
        if (Files.isDirectory(module)) {
          addSources(module, sources);
        }
      }
    }
    return sources;
  }

  private static void addSources(Path module, Map<String, String> sources) throws IOException {
    try (Stream<Path> files = Files.walk(module)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        sources.merge(name, Files.readString(file), String::concat);
      }
    }
  }
}
