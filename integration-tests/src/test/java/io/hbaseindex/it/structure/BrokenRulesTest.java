/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.structure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule over the classes of all modules fails for code that breaks it. */
class BrokenRulesTest {
  private static final List<Class<?>> RULES =
      List.of(CodeRulesTest.class, ModuleArchitectureTest.class, PublicApiTest.class);

  @TempDir Path folder;

  /** Classes that break a rule. */
  private record Breach(String rule, String... sources) {
    @Override
    public String toString() {
      return rule + " " + String.join(" ", sources).replaceAll("\\s+", " ");
    }
  }

  @Test
  void everyRule_hasABreach() throws IllegalAccessException {
    List<String> broken = breaches().map(Breach::rule).distinct().toList();

    assertThat(rules()).containsOnlyKeys(broken);
  }

  @ParameterizedTest
  @MethodSource("breaches")
  void breach_isNoticed(Breach breach) throws IOException, IllegalAccessException {
    ArchRule rule = rules().get(breach.rule());

    assertThat(rule.evaluate(CompiledSources.of(folder, breach.sources())).hasViolation()).isTrue();
  }

  @Test
  void constants_areNoState() throws IOException, IllegalAccessException {
    String constants =
        """
        package io.hbaseindex.core.some;
        class Constants {
          static final long NUMBER = 1;
          static final java.util.List<String> NAMES = java.util.List.of();
          static final Fixed FIXED = new Fixed(1);
          record Fixed(int one) {}
        }
        """;

    assertThat(
            rules()
                .get("statics_neverChange")
                .evaluate(CompiledSources.of(folder, constants))
                .hasViolation())
        .isFalse();
  }

  static Stream<Breach> breaches() {
    List<Breach> breaches = new ArrayList<>();
    for (String clock :
        List.of("System.nanoTime()", "System.currentTimeMillis()", "java.time.Instant.now()")) {
      breaches.add(
          new Breach(
              "clocks_arePassedIn", body("region.some", "Object now = %s;".formatted(clock))));
    }
    breaches.add(
        new Breach(
            "core_neverSleeps",
            body("core.some", "void rest() throws Exception { Thread.sleep(1); }")));
    for (String state :
        List.of(
            "static int count;",
            "static final java.util.concurrent.atomic.AtomicLong COUNT = null;",
            "static final java.util.HashMap<String, String> MAP = null;",
            "static final ThreadLocal<String> EACH = null;",
            "static final Open OPEN = null; static class Open { int changes; }")) {
      breaches.add(new Breach("statics_neverChange", body("core.some", state)));
    }
    for (String ending : List.of("Utils", "Util", "Manager", "Helper")) {
      breaches.add(
          new Breach(
              "names_sayWhatAClassDoes",
              "package io.hbaseindex.core.some; class Some%s {}".formatted(ending)));
    }
    breaches.add(
        new Breach(
            "packages_haveNoCycles",
            "package io.hbaseindex.one; public class One { io.hbaseindex.two.Two two; }",
            "package io.hbaseindex.two; public class Two { io.hbaseindex.one.One one; }"));
    breaches.add(
        new Breach(
            "publicApi_mentionsPublicApiOnly",
            """
            package io.hbaseindex.client.some;
            @org.apache.yetus.audience.InterfaceAudience.Public
            public class Door { public Inner inner() { return null; } }
            """,
            """
            package io.hbaseindex.client.some;
            @org.apache.yetus.audience.InterfaceAudience.Private
            public class Inner {}
            """));
    return Stream.concat(breaches.stream(), forbiddenViews());
  }

  private static Stream<Breach> forbiddenViews() {
    String hbase = "org.apache.hadoop";
    String publish = "io.hbaseindex.core.publish";
    String registry = "io.hbaseindex.core.registry";
    String region = "io.hbaseindex.region";
    String master = "io.hbaseindex.master";
    String client = "io.hbaseindex.client";
    return Stream.of(
            views("core_seesNoHBase", "core.some", hbase),
            views(
                "hashesAndFormats_seeNothingElseOfCore",
                "core.hash",
                "io.hbaseindex.core.filter",
                registry),
            views(
                "hashesAndFormats_seeNothingElseOfCore",
                "core.format",
                "io.hbaseindex.core.definition",
                publish),
            views(
                "filters_seeNobodyWhoRoutesOrPublishesThem",
                "core.filter",
                "io.hbaseindex.core.matrix",
                "io.hbaseindex.core.route",
                publish,
                registry),
            views("holders_seeNoPublisher", "core.registry", publish),
            views("publishers_seeNoHolder", "core.publish", registry, "io.hbaseindex.core.matrix"),
            views("plans_seeNoHBase", "region.write.plan", hbase),
            views(
                "common_seesCoreOnly", "common", region, master, client, "io.hbaseindex.protocol"),
            views("regions_seeNeitherMasterNorClient", "region.some", master, client),
            views(
                "master_seesNeitherRegionNorClientNorPublisher", "master", region, client, publish),
            views("clients_seeNoServer", "client.some", region, master, publish),
            views("clients_seeNoServer", "cli", region, master, publish))
        .flatMap(List::stream);
  }

  /** For each package, a class of it and one that sees that class. */
  private static List<Breach> views(String rule, String seer, String... seen) {
    return Stream.of(seen)
        .map(
            hidden ->
                new Breach(
                    rule,
                    "package %s; public class Hidden {}".formatted(hidden),
                    body(seer, "%s.Hidden hidden;".formatted(hidden))))
        .toList();
  }

  private static String body(String room, String members) {
    return "package io.hbaseindex.%s; class Breach { %s }".formatted(room, members);
  }

  private static Map<String, ArchRule> rules() throws IllegalAccessException {
    Map<String, ArchRule> rules = new TreeMap<>();
    for (Class<?> holder : RULES) {
      for (Field field : holder.getDeclaredFields()) {
        if (field.isAnnotationPresent(ArchTest.class)) {
          rules.put(field.getName(), (ArchRule) field.get(null));
        }
      }
    }
    return rules;
  }
}
