/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** How main code of all modules is written, as far as a machine can tell. */
@AnalyzeClasses(locations = EveryModule.class, importOptions = WrittenByHand.class)
class CodeRulesTest {
  /**
   * The classes that put a module together, and give a clock to all others. The client has three
   * doors: one for administrators, and a connection of either kind for queries.
   */
  private static final Set<String> READ_CLOCKS =
      Set.of(
          "io.hbaseindex.region.ObservedRegion",
          "io.hbaseindex.master.IndexMasterEndpoint",
          "io.hbaseindex.master.FilterHolderEndpoint",
          "io.hbaseindex.client.admin.IndexAdmin",
          "io.hbaseindex.client.IndexedConnection",
          "io.hbaseindex.client.IndexedAsyncConnection",
          "io.hbaseindex.cli.output.ProgressView");

  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.nanoTime",
          "java.lang.System.currentTimeMillis",
          "java.time.Instant.now",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "org.apache.hadoop.hbase.util.EnvironmentEdgeManager.currentTime",
          "org.apache.hadoop.hbase.util.EnvironmentEdgeManager.getDelegate");

  /** Must outlive every object: no number is given twice in the life of a process. */
  private static final String REGION_NUMBERS =
      "io.hbaseindex.region.publish.PublishingThread.NUMBERS";

  @ArchTest
  static final ArchRule clocks_arePassedIn =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.hbaseindex.demo..", "io.hbaseindex.bench..")
          .and(
              DescribedPredicate.describe(
                  "put no module together", type -> !READ_CLOCKS.contains(outermost(type))))
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe("reads a clock", CodeRulesTest::isReadingOfAClock))
          .because(
              "time bounds are tested on simulated clocks; demo and benchmarks, which only time"
                  + " things, may look themselves");

  @ArchTest
  static final ArchRule core_neverSleeps =
      noClasses()
          .that()
          .resideInAPackage("io.hbaseindex.core..")
          .should()
          .callMethod(Thread.class, "sleep", long.class);

  @ArchTest
  static final ArchRule statics_neverChange =
      fields()
          .that()
          .areStatic()
          .and()
          .doNotHaveModifier(JavaModifier.SYNTHETIC)
          .and()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("io.hbaseindex.protocol..")
          .should()
          .beFinal()
          .andShould(holdNoState());

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

  private static boolean isReadingOfAClock(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitAccessTarget target
        && CLOCKS.contains(target.getOwner().getName() + "." + target.getName());
  }

  private static String outermost(JavaClass type) {
    return type.getEnclosingClass().map(CodeRulesTest::outermost).orElse(type.getName());
  }

  private static ArchCondition<JavaField> holdNoState() {
    return new ArchCondition<>("hold nothing that changes") {
      @Override
      public void check(JavaField field, ConditionEvents events) {
        boolean constant =
            !isMutable(field.getRawType(), new HashSet<>())
                || field.getFullName().equals(REGION_NUMBERS);
        events.add(
            new SimpleConditionEvent(
                field,
                constant,
                "%s holds state of type %s"
                    .formatted(field.getFullName(), field.getRawType().getName())));
      }
    };
  }

  /** As far as the type tells: a list may change or not, an object of ours is looked into. */
  private static boolean isMutable(JavaClass type, Set<JavaClass> seen) {
    if (type.getPackageName().startsWith("java.")) {
      return type.getPackageName().startsWith("java.util.concurrent")
          || type.isAssignableTo(ThreadLocal.class)
          || type.isAssignableTo(Random.class)
          || type.isAssignableTo(BitSet.class)
          || type.isAssignableTo(StringBuilder.class)
          || !type.isInterface()
              && (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class));
    }
    return type.getPackageName().startsWith("io.hbaseindex")
        && seen.add(type)
        && type.getAllFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .anyMatch(
                field ->
                    !field.getModifiers().contains(JavaModifier.FINAL)
                        || isMutable(field.getRawType(), seen));
  }
}
