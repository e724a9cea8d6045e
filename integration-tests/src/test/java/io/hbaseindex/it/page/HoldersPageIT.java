/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.it.cluster.ClusterSettings;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.page.PageClient.Page;
import io.hbaseindex.master.IndexMasterEndpoint;
import io.hbaseindex.master.page.IndexPageInitializer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** While holders keep the filters, the page shows how they stand at each of them. */
@Tag("cluster")
class HoldersPageIT {
  private static final int SHARDS = 3;

  @Test
  void filtersAtHolders_thePageShowsEachHolder_andTablesAgainAfterwards() throws Exception {
    ClusterSettings settings =
        ClusterSettings.threeServers()
            .withMasterCoprocessor(IndexMasterEndpoint.class)
            .with("hbase.master.info.port", "0")
            .with("hbase.http.filter.initializers", IndexPageInitializer.class.getName());
    try (TestCluster cluster = TestCluster.start(settings);
        PageTable table = PageTable.create(cluster, "email")) {
      PageClient client = new PageClient(cluster);
      IndexAdmin admin = IndexAdmin.of(cluster.connection());
      assertThat(client.table(table.text()).text()).contains("by_email");

      admin.keepFilters(SHARDS, SHARDS, Map.of());
      int regions = table.regions().size();
      Page page =
          Waits.until("the page shows that all holders trust all regions")
              .ignoreExceptions() // there is none while one takes the place of another
              .until(
                  () -> client.page(""),
                  shown ->
                      shown.text().contains("%d of %1$d".formatted(SHARDS * regions))
                          && rows(shown).size() == SHARDS);

      for (Element row : rows(page)) {
        assertThat(row.getTextContent()).contains("%d of %1$d".formatted(regions));
        String server = row.getElementsByTagName("td").item(1).getTextContent();
        assertThat(cluster.servers().live()).anyMatch(one -> server.startsWith(one + "/"));
      }
      assertThat(rows(page).stream().mapToLong(HoldersPageIT::values).sum())
          .as("values of all shards, by estimate")
          .isBetween(20L, 32L);

      admin.keepFilters(0, 1, Map.of());
      Waits.until("the page shows tables again")
          .ignoreExceptions()
          .until(() -> client.table(table.text()), shown -> shown.text().contains("by_email"));
    }
  }

  private static List<Element> rows(Page page) {
    return page.elements("tr").stream()
        .filter(row -> row.getElementsByTagName("td").getLength() > 0)
        .toList();
  }

  private static long values(Element row) {
    return Long.parseLong(row.getElementsByTagName("td").item(6).getTextContent());
  }
}
