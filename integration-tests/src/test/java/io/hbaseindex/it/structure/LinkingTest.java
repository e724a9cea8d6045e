/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Everything of HBase that the compiled product needs is there in the version of HBase that the
 * test runs with, which may be another one than the product was compiled with. No class of HBase is
 * loaded.
 *
 * <p>What is known to be missing in a version stands in a resource of its module, a line each. So
 * each build shows that what is missing is found.
 */
class LinkingTest {
  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String KNOWN = "/missing-of-hbase.txt";

  private static JavaClasses product;

  @BeforeAll
  static void readTheProduct() {
    product =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("io/hbaseindex/it/"))
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.hbaseindex");
    assertThat(product.size()).as("classes looked at").isGreaterThan(500);
  }

  @Test
  void whatIsMentionedOfHBase_isThere() throws IOException {
    assertMissing(" uses ", type -> Stream.concat(missingMembers(type), missingTypes(type)));
  }

  @Test
  void whatHBaseWillCall_isImplemented() throws IOException {
    assertMissing(" lacks ", LinkingTest::notImplemented);
  }

  /** A hook with another signature would never be called, and nobody would hear of it. */
  @Test
  void hooks_areThoseThatHBaseCalls() throws IOException {
    assertMissing(" waits for ", LinkingTest::hooksThatAreNone);
  }

  private static void assertMissing(String how, Function<JavaClass, Stream<String>> missing)
      throws IOException {
    Set<String> found =
        product.stream()
            .flatMap(type -> missing.apply(type).map(what -> outermost(type) + how + what))
            .collect(Collectors.toSet());
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            known().stream().filter(line -> line.contains(how)).toList());
  }

  private static List<String> known() throws IOException {
    try (InputStream lines = LinkingTest.class.getResourceAsStream(KNOWN)) {
      return lines == null
          ? List.of()
          : new String(lines.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceFirst("\\$.*", "");
  }

  private static Stream<String> missingMembers(JavaClass type) {
    return type.getAccessesFromSelf().stream()
        .map(JavaAccess::getTarget)
        .filter(target -> target.getOwner().getName().startsWith(HBASE))
        .filter(target -> target.getOwner().isFullyImported())
        .filter(target -> target.resolveMember().isEmpty())
        .map(AccessTarget::getFullName);
  }

  private static Stream<String> missingTypes(JavaClass type) {
    return type.getDirectDependenciesFromSelf().stream()
        .map(Dependency::getTargetClass)
        .map(JavaClass::getBaseComponentType)
        .filter(target -> target.getName().startsWith(HBASE))
        .filter(target -> !target.isFullyImported())
        .map(JavaClass::getName)
        .filter(name -> !isThere(name));
  }

  /** ArchUnit does not look for classes that are caught and nothing else. */
  private static boolean isThere(String name) {
    return LinkingTest.class.getResource("/" + name.replace('.', '/') + ".class") != null;
  }

  private static Stream<String> notImplemented(JavaClass type) {
    if (type.isInterface() || isAbstract(type.getModifiers())) {
      return Stream.empty();
    }
    Set<String> implemented =
        type.getAllMethods().stream()
            .filter(method -> !isAbstract(method.getModifiers()))
            .map(LinkingTest::signature)
            .collect(Collectors.toSet());
    return type.getAllMethods().stream()
        .filter(method -> method.getOwner().getName().startsWith(HBASE))
        .filter(method -> isAbstract(method.getModifiers()))
        .filter(method -> !implemented.contains(signature(method)))
        .map(JavaMethod::getFullName);
  }

  private static boolean isAbstract(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.ABSTRACT);
  }

  private static Stream<String> hooksThatAreNone(JavaClass type) {
    Set<String> ofHBase =
        type.getAllRawInterfaces().stream()
            .filter(known -> known.getName().matches("org\\.apache\\.hadoop\\.hbase\\..*Observer"))
            .flatMap(known -> known.getMethods().stream())
            .map(LinkingTest::signature)
            .collect(Collectors.toSet());
    return ofHBase.isEmpty()
        ? Stream.empty()
        : type.getMethods().stream()
            .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
            .map(LinkingTest::signature)
            .filter(signature -> signature.matches("(pre|post)[A-Z].*"))
            .filter(signature -> !ofHBase.contains(signature));
  }

  private static String signature(JavaMethod method) {
    return "%s(%s) %s"
        .formatted(
            method.getName(),
            method.getRawParameterTypes().stream()
                .map(JavaClass::getName)
                .collect(Collectors.joining(", ")),
            method.getRawReturnType().getName());
  }
}
