/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the main sources of all modules are named and laid out. */
class SourceTreeTest {
  private static final int FILES_OF_A_PACKAGE = 20;

  @Test
  void names_areGivenOnce() throws IOException {
    assertThat(namesGivenTwice(files())).as("two classes of one name").isEmpty();
  }

  @Test
  void packages_areSmall() throws IOException {
    assertThat(crowdedPackages(files()))
        .as("packages of more than %d files", FILES_OF_A_PACKAGE)
        .isEmpty();
  }

  @Test
  void nameGivenTwice_isNoticed() {
    List<Path> files = List.of(Path.of("a/One.java"), Path.of("a/Two.java"), Path.of("b/One.java"));

    assertThat(namesGivenTwice(files)).containsOnlyKeys("One.java");
  }

  @Test
  void crowdedPackage_isNoticed() {
    List<Path> full = IntStream.range(0, 20).mapToObj(i -> Path.of("a/C" + i + ".java")).toList();
    List<Path> crowded =
        IntStream.range(0, 21).mapToObj(i -> Path.of("b/D" + i + ".java")).toList();

    assertThat(crowdedPackages(Stream.of(full, crowded).flatMap(List::stream).toList()))
        .containsOnlyKeys(Path.of("b"));
  }

  private static Map<String, Set<Path>> namesGivenTwice(List<Path> files) {
    Map<String, Set<Path>> byName = new TreeMap<>();
    for (Path file : files) {
      byName.computeIfAbsent(file.getFileName().toString(), n -> new TreeSet<>()).add(file);
    }
    byName.remove("package-info.java");
    byName.values().removeIf(places -> places.size() == 1);
    return byName;
  }

  private static Map<Path, Integer> crowdedPackages(List<Path> files) {
    Map<Path, Integer> counts = new TreeMap<>();
    files.forEach(file -> counts.merge(file.getParent(), 1, Integer::sum));
    counts.values().removeIf(count -> count <= FILES_OF_A_PACKAGE);
    return counts;
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path sources : EveryModule.sources()) {
      try (Stream<Path> all = Files.walk(sources)) {
        all.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
      }
    }
    return files;
  }
}
