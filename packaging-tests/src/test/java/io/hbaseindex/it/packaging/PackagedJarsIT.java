/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The jars that are installed hold what they need and nothing that could get in HBase's way. */
@Tag("packaging")
class PackagedJarsIT {
  private final PackagedJar server = PackagedJar.of("hbase-index-server");
  private final PackagedJar client = PackagedJar.of("hbase-index-shaded-client");

  @Test
  void serverJar_entries_areOursOrMetadata() throws Exception {
    assertThat(server.files()).allMatch(PackagedJarsIT::isOursOrMetadata);
    assertThat(server.files())
        .contains(
            "io/hbaseindex/region/IndexRegionObserver.class",
            "io/hbaseindex/master/IndexMasterObserver.class",
            "io/hbaseindex/master/IndexMasterEndpoint.class",
            "io/hbaseindex/core/filter/ScalableSplitCountingBloomFilter.class",
            "io/hbaseindex/shaded/hash4j/hashing/Hashing.class",
            "META-INF/LICENSE");
  }

  @Test
  void clientJar_entries_areOursOrMetadata() throws Exception {
    assertThat(client.files()).allMatch(PackagedJarsIT::isOursOrMetadata);
    assertThat(client.files())
        .contains(
            "io/hbaseindex/client/IndexedConnection.class",
            "io/hbaseindex/client/IndexedAsyncConnection.class",
            "io/hbaseindex/common/table/IndexedTableDescriptor.class",
            "io/hbaseindex/client/admin/RegionIndexAdmin.class",
            "io/hbaseindex/shaded/hash4j/hashing/Hashing.class",
            "META-INF/LICENSE")
        .noneMatch(name -> name.startsWith("io/hbaseindex/region/"))
        .noneMatch(name -> name.startsWith("io/hbaseindex/master/"));
  }

  @Test
  void filtersThatNoServerUses_areLeftOut() throws Exception {
    assertThat(server.files()).noneMatch(PackagedJarsIT::isUnusedFilter);
    assertThat(client.files()).noneMatch(PackagedJarsIT::isUnusedFilter);
  }

  @Test
  void everyClassMentioned_isInTheJar() {
    assertThat(server.absentClasses()).isEmpty();
    assertThat(client.absentClasses()).isEmpty();
  }

  @Test
  void dependingOnThem_bringsNothingAlong() throws Exception {
    assertThat(server.compileDependencies()).isEmpty();
    assertThat(client.compileDependencies()).isEmpty();
  }

  private static boolean isOursOrMetadata(String name) {
    return name.startsWith("io/hbaseindex/")
        || name.startsWith("META-INF/") && !name.endsWith(".class");
  }

  private static boolean isUnusedFilter(String name) {
    return name.startsWith("io/hbaseindex/seeds/");
  }
}
