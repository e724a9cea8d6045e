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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the main sources of all modules are named and laid out. */
class SourceTreeTest {
  private static final int FILES_OF_A_PACKAGE = 20;

  @Test
  void names_areGivenOnce() throws IOException {
    Map<String, Set<Path>> byName = new TreeMap<>();
    for (Path file : files()) {
      byName.computeIfAbsent(file.getFileName().toString(), n -> new TreeSet<>()).add(file);
    }
    byName.values().removeIf(places -> places.size() == 1);
    assertThat(byName).as("two classes of one name").isEmpty();
  }

  @Test
  void packages_areSmall() throws IOException {
    Map<Path, Integer> files = new TreeMap<>();
    files().forEach(file -> files.merge(file.getParent(), 1, Integer::sum));
    files.values().removeIf(count -> count <= FILES_OF_A_PACKAGE);
    assertThat(files).as("packages of more than %d files", FILES_OF_A_PACKAGE).isEmpty();
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path sources : EveryModule.sources()) {
      try (Stream<Path> all = Files.walk(sources)) {
        all.filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !file.endsWith("package-info.java"))
            .forEach(files::add);
      }
    }
    return files;
  }
}
