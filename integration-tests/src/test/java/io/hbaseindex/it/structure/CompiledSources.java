/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.apache.yetus.audience.InterfaceAudience;

/** Classes that are compiled from text, to be looked at by rules. */
final class CompiledSources {
  private CompiledSources() {}

  /** Compiles sources, each of one top-level class, into a folder, and reads the classes. */
  static JavaClasses of(Path folder, String... sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Source> units = Stream.of(sources).map(Source::new).toList();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of(jarOfAnnotations()));
      List<String> options = List.of("-proc:none");
      if (!compiler.getTask(null, files, null, options, null, units).call()) {
        throw new IllegalArgumentException("Cannot compile the sources of a test: see above");
      }
    }
    return new ClassFileImporter().importPath(folder);
  }

  /** All that the sources need; looking through the jars of HBase each time takes long. */
  private static Path jarOfAnnotations() {
    return Path.of(
        URI.create(
            InterfaceAudience.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///" + nameOf(text) + ".java"), Kind.SOURCE);
      this.text = text;
    }

    private static String nameOf(String text) {
      return text.replaceFirst("(?s).*?\\bclass (\\w+).*", "$1");
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
