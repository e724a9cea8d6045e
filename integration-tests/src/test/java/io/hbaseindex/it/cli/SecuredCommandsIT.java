/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexSettings;
import io.hbaseindex.it.cluster.SecuredCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.it.index.IndexedTable;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** On a cluster with access control, readers of a table use the command line on it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("cluster")
class SecuredCommandsIT {
  private static final int OK = 0;
  private static final int REFUSED = 4;

  private SecuredCluster secured;
  private Shell shell;
  private IndexedTable people;
  private IndexedTable unpublished;

  @BeforeAll
  void start() throws Exception {
    secured = SecuredCluster.start();
    shell = new Shell(secured.cluster());
    people = IndexedTable.loaded(secured.cluster(), "people", 30, "r0010", "r0020");
    unpublished = IndexedTable.loaded(secured.cluster(), "unpublished", 3);
    for (IndexedTable table : new IndexedTable[] {people, unpublished}) {
      assertThat(shell.run("create", name(table), "by_city", "-c", "f:city").exitCode()).isZero();
      secured.grant("reader", table.name(), null, null, Action.READ);
    }
    secured
        .cluster()
        .admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(
                    secured.cluster().admin().getDescriptor(unpublished.name()))
                .setValue(IndexSettings.PUBLISH_ENABLED, "false")
                .build());
    // Grants reach the servers' memory a little after the call has returned.
    Waits.until("the reader sees both tables")
        .until(
            () -> {
              Shell.Outcome listed = as("reader", "list", "--json");
              return listed.exitCode() == OK && listed.json().getAsJsonArray("indexes").size() == 2;
            });
  }

  @AfterAll
  void stop() throws Exception {
    if (secured != null) {
      secured.close();
    }
  }

  @Test
  void reader_listsAndSeesStatus_ofOneTableAndOfAll() throws Exception {
    assertThat(as("reader", "list", name(people)).out()).contains("by_city");
    assertThat(as("reader", "list").out()).contains(name(people), name(unpublished));
    Shell.Outcome one = as("reader", "status", name(people));
    assertThat(one.exitCode()).isEqualTo(OK);
    assertThat(one.out()).contains("The index is ready in all 3 regions.");
    assertThat(as("reader", "status").out()).contains(name(people), name(unpublished));
  }

  @Test
  void reader_queriesAndExplains() throws Exception {
    Shell.Outcome rows = as("reader", "query", name(people), "-w", "f:city = 'city 7'", "--count");
    assertThat(rows.out()).isEqualTo("3\n");
    assertThat(rows.exitCode()).isEqualTo(OK);

    Shell.Outcome explained =
        as("reader", "explain", name(people), "-w", "f:city = 'city 7'", "--json");
    assertThat(explained.exitCode()).isEqualTo(OK);
    JsonObject use = explained.json().getAsJsonArray("indexes").get(0).getAsJsonObject();
    assertThat(use.get("index").getAsString()).isEqualTo("by_city");
    assertThat(use.get("usedIn").getAsInt()).isPositive();
  }

  @Test
  void stranger_isRefused_andNotToldThatThereIsNothing() throws Exception {
    for (String command : new String[] {"list", "status"}) {
      Shell.Outcome outcome = as("stranger", command);
      assertThat(outcome.exitCode()).isEqualTo(REFUSED);
      assertThat(outcome.err()).contains("Permission denied: this user may see no table at all");
      assertThat(outcome.out()).isEmpty();
    }
    assertThat(as("stranger", "query", name(people), "-w", "f:city = a").exitCode())
        .isEqualTo(REFUSED);
  }

  private Shell.Outcome as(String user, String... args) throws Exception {
    return secured
        .user(user)
        .runAs((PrivilegedExceptionAction<Shell.Outcome>) () -> shell.run(args));
  }

  private static String name(IndexedTable table) {
    return table.name().getNameAsString();
  }
}
