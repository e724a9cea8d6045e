/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;

/** The package rules of core, as CONTRIBUTING.md states them. */
@AnalyzeClasses(
    packages = "io.hbaseindex.core",
    importOptions = ImportOption.DoNotIncludeTests.class)
class CoreArchitectureTest {
  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.hbaseindex.core.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule hashesAndFormatsKnowNothingElse =
      noClasses()
          .that()
          .resideInAnyPackage("io.hbaseindex.core.hash..", "io.hbaseindex.core.format..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hbaseindex.core.filter..",
              "io.hbaseindex.core.routing..",
              "io.hbaseindex.core.publish..",
              "io.hbaseindex.core.definition..",
              "io.hbaseindex.core.entry..");

  @ArchTest
  static final ArchRule filtersDoNotKnowWhoRoutesOrPublishesThem =
      noClasses()
          .that()
          .resideInAPackage("io.hbaseindex.core.filter..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hbaseindex.core.routing..", "io.hbaseindex.core.publish..");

  @ArchTest
  static final ArchRule clocksArePassedIn =
      noClasses()
          .should()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .because("time bounds are tested on a simulated clock");

  @ArchTest
  static final ArchRule namesSayWhatAClassDoes =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Manager")
          .orShould()
          .haveSimpleNameEndingWith("Helper");

  @ArchTest
  static final ArchRule noStaticMutableState =
      ArchRuleDefinition.fields()
          .that()
          .areStatic()
          .and()
          .doNotHaveModifier(JavaModifier.SYNTHETIC)
          .should()
          .beFinal();
}
