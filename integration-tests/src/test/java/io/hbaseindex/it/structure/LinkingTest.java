/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Everything of HBase that the compiled product mentions is there in the version of HBase that the
 * test runs with, which may be another one than the product was compiled with.
 */
class LinkingTest {
  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String NEWER = "io.hbaseindex.client.SinceHBase26";

  private static JavaClasses product;

  @BeforeAll
  static void readTheProduct() {
    product =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("io/hbaseindex/it/"))
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("io.hbaseindex");
  }

  @Test
  void whatIsMentionedOfHBase_isThere() {
    assertThat(missing(type -> !type.getName().equals(NEWER))).isEmpty();
    assertThat(product.size()).as("classes looked at").isGreaterThan(500);
  }

  /** The one class that HBase 2.5 never loads; it shows that what is missing would be found. */
  @Test
  void whatOnlyNewerVersionsHave_isFoundToBeMissingInOlderOnes() {
    boolean older = VersionInfo.compareVersion(VersionInfo.getVersion(), "2.6.0") < 0;
    assertThat(missing(type -> type.getName().equals(NEWER))).hasSize(older ? 2 : 0);
  }

  @Test
  void whatHBaseWillCall_isImplemented() throws ClassNotFoundException {
    for (JavaClass type : product) {
      if (!type.isInterface() && !type.getModifiers().contains(JavaModifier.ABSTRACT)) {
        Class<?> loaded = Class.forName(type.getName(), false, getClass().getClassLoader());
        assertThat(loaded.getMethods())
            .as("methods of %s", type.getName())
            .noneMatch(method -> Modifier.isAbstract(method.getModifiers()));
      }
    }
  }

  private static List<String> missing(Predicate<JavaClass> where) {
    return product.stream()
        .filter(where)
        .flatMap(type -> Stream.concat(missingMembers(type), missingTypes(type)))
        .distinct()
        .sorted()
        .toList();
  }

  private static Stream<String> missingMembers(JavaClass type) {
    return type.getAccessesFromSelf().stream()
        .map(JavaAccess::getTarget)
        .filter(target -> target.getOwner().getName().startsWith(HBASE))
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
    try {
      Class.forName(name, false, LinkingTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
