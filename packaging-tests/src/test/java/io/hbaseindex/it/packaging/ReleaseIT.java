/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.guide.GuideWalk;
import io.hbaseindex.it.guide.HBaseInstallation;
import io.hbaseindex.it.packaging.Release.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The release, as somebody has it who has unpacked it and nothing else. */
@Tag("packaging")
class ReleaseIT {
  private static final String VERSION = System.getProperty("hbaseindex.version");

  /** The first one makes the table that the others begin with. */
  private static final List<String> GUIDES =
      List.of("README.md", "PHOENIX.md", "HINDEX.md", "MAPREDUCE.md", "SPARK.md", "BACKUP.md");

  /** Samples of every command, walked after the guides. */
  private static final String CLI = "CLI.md";

  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  @TempDir private static Path directory;

  private static Release release;
  private static ProcessCluster cluster;

  @BeforeAll
  static void unpackAndStart() throws Exception {
    release = Release.unpack(directory);
    cluster = ProcessCluster.start(Files.createDirectory(directory.resolve("cluster")));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  void commandLine_knowsItsVersion_andWhatItCannotDo() throws Exception {
    assertThat(release.hbaseIndex("--version"))
        .isEqualTo(new Said(0, "hbase-index " + VERSION + "\n"));
    assertThat(release.hbaseIndex("--help").text()).contains("create", "query", "explain");
    assertThat(release.hbaseIndex("demo"))
        .isEqualTo(
            new Said(5, "Cannot run the demo: it comes with the sources, not with the release\n"));
    assertThat(release.hbaseIndex(Map.of("JAVA_HOME", directory.toString()), "list").exitCode())
        .isEqualTo(5);
  }

  @Test
  void jarsToInstall_areThoseThatAreTested() throws Exception {
    for (String part : List.of("server", "shaded-client", "spark")) {
      String jar = "hbase-index-%s-%s.jar".formatted(part, VERSION);
      Path released =
          release.home().resolve("lib").resolve(part.replace("shaded-", "")).resolve(jar);
      Path built = RepositoryRoot.path().resolve("hbase-index-" + part + "/target/" + jar);
      assertThat(Files.mismatch(released, built)).isEqualTo(-1);
    }
  }

  @Test
  void billOfMaterials_namesWhatIsInside() throws Exception {
    String bill = Files.readString(release.home().resolve("sbom.json"));
    try (Stream<Path> jars = Files.list(release.home().resolve("lib/cli"))) {
      for (Path jar : jars.toList()) {
        String name = jar.getFileName().toString().replaceFirst("-[0-9].*", "");
        assertThat(bill).as(jar.toString()).contains("\"" + name + "\"");
      }
    }
  }

  @Test
  void links_leadSomewhere() throws Exception {
    List<String> broken = new ArrayList<>();
    try (Stream<Path> files = Files.walk(release.home())) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        LINK.matcher(Files.readString(page))
            .results()
            .map(link -> link.group(1))
            .filter(link -> !Files.exists(page.resolveSibling(link)))
            .forEach(link -> broken.add(release.home().relativize(page) + ": " + link));
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void commandLine_worksOnACluster_andStartsFromItsArchive() throws Exception {
    List<String> keys =
        IntStream.range(0, 600).mapToObj(i -> "k%d-%04d".formatted(i % 6, i)).toList();
    String config = cluster.clientDirectory().toString();
    try (RemoteTable table = RemoteTable.create(cluster, keys)) {
      table.awaitRouted(RemoteTable.codeOf(keys.get(17)));
      String where = "f:code = '" + RemoteTable.codeOf(keys.get(17)) + "'";

      Said healthy = timed("doctor", "doctor", "--timeout", "90", "--config", config);
      assertThat(healthy.text()).contains("region server", VERSION).doesNotContain("Exception");
      assertThat(healthy.exitCode()).isZero();

      Said first = timed("first list", "list", "orders", "--config", config);
      assertThat(first.text()).contains("orders", "by_code", "f:code");
      assertThat(first.exitCode()).isZero();
      assertThat(archives()).hasSize(1);

      // Java ends at once if it is told to share an archive and cannot.
      Said second = timed("second list", "list", "orders", "--config", config);
      assertThat(
              release.hbaseIndex(
                  Map.of("HBASE_INDEX_OPTS", "-Xshare:on"), "list", "orders", "--config", config))
          .isEqualTo(second)
          .isEqualTo(first);

      Said found = timed("query", "query", "orders", "-w", where, "--config", config);
      assertThat(found.text()).contains(keys.get(17));
      assertThat(found.exitCode()).isZero();
      Said explained = timed("explain", "explain", "orders", "-w", where, "--config", config);
      assertThat(explained.exitCode()).isZero();
      assertThat(timed("status", "status", "orders", "--config", config).exitCode()).isZero();
      assertThat(timed("verify", "verify", "orders", "--config", config).exitCode()).isZero();
      assertThat(archives()).hasSize(1);
    }
  }

  @TestFactory
  List<DynamicTest> guides_canBeFollowed_fromTheReleaseAlone() throws Exception {
    Path installation = Files.createDirectory(directory.resolve("hbase"));
    Path commands =
        HBaseInstallation.make(
            installation,
            cluster.configuration(),
            cluster.hadoopDirectory(),
            RepositoryRoot.path().resolve("packaging-tests/target/cluster.classpath"));
    String java = System.getProperty("java.home");
    GuideWalk walk =
        new GuideWalk(
            release.home(),
            Map.of(
                "PATH",
                commands + ":" + java + "/bin:/usr/bin:/bin",
                "JAVA_HOME",
                java,
                "HBASE_CONF_DIR",
                cluster.patientClientDirectory().toString(),
                "HBASE_INDEX_CACHE",
                release.cache().toString(),
                "HBASE_INDEX_OPTS",
                "-Dfile.encoding=UTF-8",
                "STANDBY",
                cluster.clusterKeyOfNobody()));
    List<DynamicTest> walks = new ArrayList<>();
    for (String page : GUIDES) {
      walks.add(DynamicTest.dynamicTest(page, () -> walk.through(page, directory)));
    }
    walks.add(DynamicTest.dynamicTest(CLI, () -> walk.throughTerminal(CLI, directory)));
    return walks;
  }

  @Test
  void everyGuide_isWalkedThrough() throws Exception {
    try (Stream<Path> pages = Files.list(release.home().resolve("docs/guides"))) {
      assertThat(
              pages.map(page -> page.getFileName().toString()).filter(page -> page.endsWith(".md")))
          .containsExactlyInAnyOrderElementsOf(GUIDES);
    }
  }

  private static List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(release.cache())) {
      return files.toList();
    }
  }

  /** Runs a command and tells how long it took; nothing depends on that. */
  private static Said timed(String name, String... arguments) throws Exception {
    long begun = System.nanoTime();
    Said said = release.hbaseIndex(arguments);
    System.out.printf(
        "Release: %s took %d ms%n", name, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    return said;
  }
}
