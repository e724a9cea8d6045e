/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** One of the jars that users install, as the build has left it in its module. */
final class PackagedJar {
  private static final Pattern OWN_BUT_ABSENT =
      Pattern.compile("->\\s+(io\\.hbaseindex\\.\\S+|com\\.dynatrace\\.\\S+)\\s+not found");

  private final Path module;
  private final Path jar;

  private PackagedJar(Path module, Path jar) {
    this.module = module;
    this.jar = jar;
  }

  /** The jar of a module of this build. */
  static PackagedJar of(String module) {
    Path directory = RepositoryRoot.path().resolve(module);
    Path jar =
        directory
            .resolve("target")
            .resolve(module + "-" + System.getProperty("hbaseindex.version") + ".jar");
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(
          "Cannot test " + jar + ": it was not there; run mvn verify, which packages it first");
    }
    return new PackagedJar(directory, jar);
  }

  Path path() {
    return jar;
  }

  /** Names of all files in it. */
  List<String> files() throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return zip.stream()
          .filter(entry -> !entry.isDirectory())
          .map(ZipEntry::getName)
          .sorted()
          .toList();
    }
  }

  /** Classes of ours, or of what is bundled, that classes in it mention and that are not in it. */
  List<String> absentClasses() {
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    int exit = jdeps.run(writer, writer, "-verbose:class", jar.toString());
    if (exit != 0) {
      throw new IllegalStateException("Cannot read " + jar + ": jdeps said " + out);
    }
    return OWN_BUT_ABSENT
        .matcher(out.toString())
        .results()
        .map(match -> match.group(1))
        .distinct()
        .sorted()
        .toList();
  }

  /** What a project that depends on it gets with it, as group:artifact. */
  List<String> compileDependencies() throws Exception {
    Path pom = module.resolve("dependency-reduced-pom.xml");
    NodeList dependencies =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(pom.toFile())
            .getElementsByTagName("dependency");
    return IntStream.range(0, dependencies.getLength())
        .mapToObj(i -> (Element) dependencies.item(i))
        .filter(dependency -> !List.of("test", "provided").contains(text(dependency, "scope")))
        .map(dependency -> text(dependency, "groupId") + ":" + text(dependency, "artifactId"))
        .toList();
  }

  private static String text(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent();
  }
}
