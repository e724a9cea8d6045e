/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/** What users can see of the public API is public API itself. */
@AnalyzeClasses(locations = EveryModule.class, importOptions = WrittenByHand.class)
class PublicApiTest {

  @ArchTest
  static final ArchRule publicApi_mentionsPublicApiOnly =
      classes().that(arePublicApi()).should(mentionPublicApiOnly());

  private static DescribedPredicate<JavaClass> arePublicApi() {
    return DescribedPredicate.describe("are public API", PublicApiTest::isPublicApi);
  }

  /** Public all the way out, and declared so by its outermost class. */
  private static boolean isPublicApi(JavaClass type) {
    if (!type.getModifiers().contains(JavaModifier.PUBLIC)) {
      return false;
    }
    return type.getEnclosingClass()
        .map(PublicApiTest::isPublicApi)
        .orElseGet(() -> type.isAnnotatedWith(InterfaceAudience.Public.class));
  }

  private static ArchCondition<JavaClass> mentionPublicApiOnly() {
    return new ArchCondition<>("mention no type of the product that is not public API") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        mentionedBy(type)
            .filter(mentioned -> mentioned.getPackageName().startsWith("io.hbaseindex."))
            .filter(mentioned -> !isPublicApi(mentioned))
            .map(JavaClass::getName)
            .distinct()
            .forEach(
                name ->
                    events.add(
                        SimpleConditionEvent.violated(type, type.getName() + " mentions " + name)));
      }
    };
  }

  private static Stream<JavaClass> mentionedBy(JavaClass type) {
    Stream<JavaClass> above =
        Stream.concat(type.getInterfaces().stream(), type.getSuperclass().stream())
            .flatMap(PublicApiTest::rawTypes);
    return Stream.concat(
        above,
        type.getMembers().stream().filter(PublicApiTest::isVisible).flatMap(PublicApiTest::types));
  }

  private static boolean isVisible(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
        && !modifiers.contains(JavaModifier.SYNTHETIC)
        && !member.isAnnotatedWith(InterfaceAudience.Private.class);
  }

  private static Stream<JavaClass> types(JavaMember member) {
    if (member instanceof JavaCodeUnit method) {
      Stream<JavaType> signature =
          Stream.concat(Stream.of(method.getReturnType()), method.getParameterTypes().stream());
      return Stream.concat(
          signature.flatMap(PublicApiTest::rawTypes), method.getExceptionTypes().stream());
    }
    return member.getAllInvolvedRawTypes().stream();
  }

  private static Stream<JavaClass> rawTypes(JavaType type) {
    return type.getAllInvolvedRawTypes().stream()
        .map(JavaClass::getBaseComponentType)
        .collect(Collectors.toSet())
        .stream();
  }
}
