/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The compiled main code of every module but those that hold tests, whether a test could depend on
 * the module or not.
 */
final class EveryModule implements LocationProvider {
  private static final Path ROOT = Path.of("..");

  @Override
  public Set<Location> get(Class<?> testClass) {
    Set<Location> classes = new HashSet<>();
    for (Path sources : sources()) {
      Path compiled = sources.resolve("../../../target/classes").normalize();
      if (!Files.isDirectory(compiled)) {
        throw new IllegalStateException(
            "Cannot look at the code of all modules: %s was not there; compile all of them first"
                .formatted(compiled));
      }
      classes.add(Location.of(compiled));
    }
    return classes;
  }

  /** The directories of main sources. */
  static List<Path> sources() {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .filter(sources -> !Files.isDirectory(sources.resolve("io/hbaseindex/it")))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
