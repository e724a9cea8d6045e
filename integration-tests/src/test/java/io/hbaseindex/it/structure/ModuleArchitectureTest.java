/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

/** Who may see whom, as CONTRIBUTING.md has it, over the classes of all modules. */
@AnalyzeClasses(locations = EveryModule.class, importOptions = WrittenByHand.class)
class ModuleArchitectureTest {
  @ArchTest
  static final ArchRule packages_haveNoCycles =
      SlicesRuleDefinition.slices().matching("io.hbaseindex.(**)").should().beFreeOfCycles();

  @ArchTest static final ArchRule core_seesNoHBase = none("core..", "org.apache.hadoop..");

  @ArchTest
  static final ArchRule hashesAndFormats_seeNothingElseOfCore =
      noClasses()
          .that()
          .resideInAnyPackage("io.hbaseindex.core.hash..", "io.hbaseindex.core.format..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hbaseindex.core.definition..",
              "io.hbaseindex.core.entry..",
              "io.hbaseindex.core.filter..",
              "io.hbaseindex.core.matrix..",
              "io.hbaseindex.core.publish..",
              "io.hbaseindex.core.push..",
              "io.hbaseindex.core.registry..",
              "io.hbaseindex.core.route..");

  @ArchTest
  static final ArchRule filters_seeNobodyWhoRoutesOrPublishesThem =
      none(
          "core.filter..",
          "io.hbaseindex.core.matrix..",
          "io.hbaseindex.core.publish..",
          "io.hbaseindex.core.push..",
          "io.hbaseindex.core.registry..",
          "io.hbaseindex.core.route..");

  @ArchTest
  static final ArchRule holders_seeNoPublisher =
      none("core.registry..", "io.hbaseindex.core.publish..");

  @ArchTest
  static final ArchRule publishers_seeNoHolder =
      none("core.publish..", "io.hbaseindex.core.registry..", "io.hbaseindex.core.matrix..");

  @ArchTest
  static final ArchRule plans_seeNoHBase = none("region.write.plan..", "org.apache.hadoop..");

  @ArchTest
  static final ArchRule common_seesCoreOnly =
      none(
          "common..",
          "io.hbaseindex.region..",
          "io.hbaseindex.master..",
          "io.hbaseindex.client..",
          "io.hbaseindex.protocol..");

  @ArchTest
  static final ArchRule regions_seeNeitherMasterNorClient =
      none("region..", "io.hbaseindex.master..", "io.hbaseindex.client..");

  @ArchTest
  static final ArchRule master_seesNeitherRegionNorClientNorPublisher =
      none(
          "master..",
          "io.hbaseindex.region..",
          "io.hbaseindex.client..",
          "io.hbaseindex.core.publish..");

  @ArchTest
  static final ArchRule clients_seeNoServer =
      noClasses()
          .that()
          .resideInAnyPackage("io.hbaseindex.client..", "io.hbaseindex.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.hbaseindex.region..", "io.hbaseindex.master..", "io.hbaseindex.core.publish..");

  private static ArchRule none(String of, String... seen) {
    return noClasses()
        .that()
        .resideInAPackage("io.hbaseindex." + of)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(seen);
  }
}
