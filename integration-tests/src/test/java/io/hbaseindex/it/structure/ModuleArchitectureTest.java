/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Who may see whom, as CONTRIBUTING.md has it, over the classes of all modules. */
@AnalyzeClasses(
    packages = "io.hbaseindex",
    importOptions = {
      ImportOption.DoNotIncludeTests.class,
      ModuleArchitectureTest.ProductOnly.class
    })
class ModuleArchitectureTest {

  /** Classes of the product: neither those that try it nor the libraries it bundles. */
  static final class ProductOnly implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/io/hbaseindex/it/")
          && !location.contains("/io/hbaseindex/shaded/");
    }
  }

  @ArchTest
  static final ArchRule core_seesNoHBase =
      noClasses()
          .that()
          .resideInAPackage("io.hbaseindex.core..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.hadoop..");

  @ArchTest
  static final ArchRule common_seesCoreOnly =
      noClasses()
          .that()
          .resideInAPackage("io.hbaseindex.common..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hbaseindex.region..",
              "io.hbaseindex.master..",
              "io.hbaseindex.client..",
              "io.hbaseindex.protocol..");

  @ArchTest
  static final ArchRule regions_seeNeitherMasterNorClient =
      noClasses()
          .that()
          .resideInAPackage("io.hbaseindex.region..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hbaseindex.master..", "io.hbaseindex.client..");

  @ArchTest
  static final ArchRule master_seesNeitherRegionNorClientNorPublisher =
      noClasses()
          .that()
          .resideInAPackage("io.hbaseindex.master..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hbaseindex.region..", "io.hbaseindex.client..", "io.hbaseindex.core.publish..");

  @ArchTest
  static final ArchRule clients_seeNoServer =
      noClasses()
          .that()
          .resideInAnyPackage("io.hbaseindex.client..", "io.hbaseindex.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hbaseindex.region..", "io.hbaseindex.master..", "io.hbaseindex.core.publish..");

  @ArchTest
  static final ArchRule packages_haveNoCycles =
      SlicesRuleDefinition.slices().matching("io.hbaseindex.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule names_sayWhatAClassDoes =
      classes()
          .should()
          .haveSimpleNameNotEndingWith("Utils")
          .andShould()
          .haveSimpleNameNotEndingWith("Util")
          .andShould()
          .haveSimpleNameNotEndingWith("Manager")
          .andShould()
          .haveSimpleNameNotEndingWith("Helper");
}
