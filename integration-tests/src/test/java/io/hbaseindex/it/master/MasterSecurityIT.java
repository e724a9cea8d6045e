/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.push.LeaseToken;
import io.hbaseindex.core.push.Push;
import io.hbaseindex.core.push.RegionIncarnation;
import io.hbaseindex.core.push.RegionMessage;
import io.hbaseindex.core.push.RegionMessage.OpenRegion;
import io.hbaseindex.core.push.RegionMessage.ReleaseRegion;
import io.hbaseindex.core.push.RegionMessage.RenewTrust;
import io.hbaseindex.core.push.RegionMessage.StayOpen;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.OpenReason;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.core.shard.Shards;
import io.hbaseindex.core.wire.RouteCodec;
import io.hbaseindex.it.cluster.SecuredCluster;
import io.hbaseindex.it.cluster.TestTables;
import io.hbaseindex.it.cluster.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** With access control on, everybody may do at the master what they should and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("cluster")
class MasterSecurityIT {
  private SecuredCluster secured;
  private PublishedTable table;

  @BeforeAll
  void start() throws Exception {
    secured = SecuredCluster.start();
    table = PublishedTable.create(secured.cluster(), "h", "p");
    table.awaitPrecise();
  }

  @AfterAll
  void stop() throws Exception {
    if (secured != null) {
      secured.close();
    }
  }

  private MasterCalls as(String user) throws Exception {
    return new MasterCalls(secured.connectionOf(user));
  }

  private String serverName() {
    return secured.cluster().servers().live().get(0).toString();
  }

  // ---- HBase's own check ----

  @Test
  void anyCall_byWhoIsNoAdministratorOfTheCluster_isRefusedByHBaseItself() throws Exception {
    secured.grant("reader", table.name(), null, null, Action.READ);
    secured.grant("tableAdmin", table.name(), null, null, Action.ADMIN, Action.READ);

    for (String user : List.of("stranger", "reader", "tableAdmin")) {
      assertThatThrownBy(() -> as(user).route(table.name(), table.predicate("k7@example.org")))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("global, action=ADMIN");
      assertThatThrownBy(() -> as(user).push(new Push(serverName(), 1, null, 0, List.of())))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("global, action=ADMIN");
      assertThatThrownBy(() -> IndexAdmin.of(secured.connectionOf(user)).routing(table.name()))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("global, action=ADMIN");
    }
    assertOthersUnharmed();
  }

  /** Makes an administrator of the cluster who may read nothing yet. */
  private void makeAdministrator(String user) throws Exception {
    secured.grant(user, Action.ADMIN);
    IndexAdmin admin = IndexAdmin.of(secured.connectionOf(user));
    // Grants reach the master's memory a little after the call has returned.
    Waits.until("grant of " + user)
        .ignoreException(AccessDeniedException.class)
        .until(() -> admin.routing().regions().size() >= 3);
  }

  // ---- the page ----

  /** HBase's web UI gives everybody the same name if it does not authenticate. */
  @Test
  void explainOnThePage_whereTheWebUiKnowsNobody_isRefused() throws Exception {
    int port = secured.cluster().mini().getMaster().getInfoServer().getPort();
    URI page =
        URI.create(
            "http://localhost:%d/hbase-index?table=%s&where=f:email=k7@example.org"
                .formatted(port, table.name()));
    try (InputStream body = page.toURL().openStream()) {
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
          .contains("this web UI does not know who asks")
          .contains("class=\"strip\"")
          .doesNotContain("regions are skipped");
    }
  }

  // ---- publishing ----

  @Test
  void push_byAnAdministrator_isDenied_whateverItSays() throws Exception {
    makeAdministrator("publisher");
    long denied = IndexMetricsView.count("pushesRefusedDenied");
    List<RegionMessage> messages =
        List.of(
            new OpenRegion(1, ForgedRegion.incarnation(table.name().getNameAsString(), 1), 0),
            new RenewTrust(1, 1, 0),
            new StayOpen(1, 100, OpenReason.SUSPENDED),
            new ReleaseRegion(1));

    for (RegionMessage message : messages) {
      assertThatThrownBy(
              () -> as("publisher").push(new Push(serverName(), 1, null, 0, List.of(message))))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("Cannot publish filters: user was publisher");
    }

    assertThat(IndexMetricsView.count("pushesRefusedDenied")).isEqualTo(denied + 4);
    assertOthersUnharmed();
  }

  // ---- routing ----

  @Test
  void route_withoutReadOnTheTable_isDenied() throws Exception {
    RoutePredicate predicate = table.predicate("k7@example.org");
    for (String user : List.of("adminOnly", "adminWriter", "adminElsewhere")) {
      makeAdministrator(user);
    }
    secured.grant("adminWriter", table.name(), null, null, Action.WRITE);
    secured.grant("adminElsewhere", table.name(), Bytes.toBytes("g"), null, Action.READ);
    long denied = IndexMetricsView.count("routesRefusedDenied");

    for (String user : List.of("adminOnly", "adminWriter", "adminElsewhere")) {
      assertThatThrownBy(() -> as(user).route(table.name(), predicate))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("action=READ");
    }
    assertThatThrownBy(
            () ->
                IndexAdmin.of(secured.connectionOf("adminOnly"))
                    .serversThatMayHold(table.name(), PublishedTable.byEmail("k7@example.org")))
        .isInstanceOf(AccessDeniedException.class);

    assertThat(IndexMetricsView.count("routesRefusedDenied")).isEqualTo(denied + 4);
  }

  @Test
  void route_withReadOnTheTableItsFamilyOrItsIndexedColumn_isAnswered() throws Exception {
    List<String> users = List.of("tableReader", "familyReader", "columnReader");
    for (String user : users) {
      makeAdministrator(user);
    }
    secured.grant("tableReader", table.name(), null, null, Action.READ);
    secured.grant("familyReader", table.name(), PublishedTable.F, null, Action.READ);
    secured.grant(
        "columnReader", table.name(), PublishedTable.F, PublishedTable.EMAIL, Action.READ);

    for (String user : users) {
      RouteAnswer answer = onceGranted(user, table.name(), table.predicate("k7@example.org"));
      assertThat(answer.mayHold(Bytes.toBytes("k7"))).isTrue();
      assertThat(answer.candidates().size() + answer.excluded()).isEqualTo(3);
    }
  }

  @Test
  void route_withReadOnOneOfTwoIndexedColumns_isDenied_asFiltersTellOfBoth() throws Exception {
    TableName both = TestTables.uniqueName("both");
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(both)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    secured
        .cluster()
        .tables()
        .create(
            IndexedTableDescriptor.with(
                plain,
                IndexDefinition.on("f", "email").named("by_email").eager(),
                IndexDefinition.on("f", "phone").named("by_phone").eager()));
    RoutePredicate anything = new RoutePredicate.Element(new IndexCoverage(1, 1, 1, 0), 7);
    byte[] f = Bytes.toBytes("f");
    makeAdministrator("half");
    makeAdministrator("whole");
    secured.grant("half", both, f, Bytes.toBytes("email"), Action.READ);
    secured.grant("whole", both, f, Bytes.toBytes("email"), Action.READ);
    secured.grant("whole", both, f, Bytes.toBytes("phone"), Action.READ);

    onceGranted("whole", both, anything);

    assertThatThrownBy(() -> as("half").route(both, anything))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("action=READ");
  }

  private RouteAnswer onceGranted(String user, TableName name, RoutePredicate predicate)
      throws Exception {
    MasterCalls calls = as(user);
    return Waits.until("grant of " + user)
        .ignoreException(AccessDeniedException.class)
        .until(() -> calls.route(name, predicate), answer -> answer != null);
  }

  // ---- holders that are not the master ----

  @Test
  void holder_answersReadersOfTheTable_andTakesPushesOfServersOnly() throws Exception {
    IndexAdmin admin = IndexAdmin.of(secured.cluster().connection());
    HolderLayout layout = admin.keepFilters(2, 2, Map.of());
    try {
      table.awaitPrecise();
      RoutePredicate.Element element = (RoutePredicate.Element) table.predicate("k7@example.org");
      int shard = Shards.of(element.hash(), 2);
      secured.grant("holderReader", table.name(), null, null, Action.READ);
      MasterCalls reader = as("holderReader");
      RouteAnswer answer =
          Waits.until("grant of holderReader")
              .ignoreException(AccessDeniedException.class)
              .until(
                  () -> reader.routeAtHolder(layout, shard, table.name(), element),
                  found -> found.open() == 0);
      assertThat(answer.mayHold(Bytes.toBytes("k7"))).isTrue();
      assertThat(answer.excluded()).isEqualTo(2);

      assertThatThrownBy(() -> as("stranger").routeAtHolder(layout, shard, table.name(), element))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("action=READ");
      for (String user : List.of("stranger", "holderReader")) {
        assertThatThrownBy(
                () -> as(user).pushToHolder(0, new Push(serverName(), 1, null, 0, List.of())))
            .isInstanceOf(AccessDeniedException.class)
            .hasMessageContaining("Cannot publish filters: user was " + user);
        assertThatThrownBy(
                () -> IndexAdmin.of(secured.connectionOf(user)).keepFilters(0, 1, Map.of()))
            .isInstanceOf(AccessDeniedException.class);
      }
      assertThat(admin.holders()).isEqualTo(layout);
    } finally {
      admin.keepFilters(0, 1, Map.of());
      table.awaitPrecise();
    }
  }

  // ---- what cannot be read ----

  @Test
  void unreadableMessages_areRefusedAndCounted_andHarmNobody() throws Exception {
    MasterCalls service = new MasterCalls(secured.cluster().connection());
    byte[] push = ForgedRegion.aPush(serverName());
    long malformed = IndexMetricsView.count("pushesRefusedMalformed");
    long oversized = IndexMetricsView.count("pushesRefusedOversized");
    List<byte[]> unreadable =
        List.of(
            new byte[0],
            Bytes.toBytes("garbage that is longer than any header would be"),
            ForgedRegion.cutShort(push),
            ForgedRegion.withFlippedBit(push),
            ForgedRegion.ofFutureVersion(push),
            RouteCodec.encode(new RouteCodec.RouteRequest("t", table.predicate("k7@example.org"))));

    for (byte[] blob : unreadable) {
      assertThatThrownBy(() -> service.push(blob)).hasMessageContaining("Cannot read PUSH");
    }
    assertThatThrownBy(() -> service.push(new byte[(8 << 20) + 1]))
        .hasMessageContaining("Cannot read a message of 8388609 bytes: the limit is 8388608");

    assertThat(IndexMetricsView.count("pushesRefusedMalformed"))
        .isEqualTo(malformed + unreadable.size());
    assertThat(IndexMetricsView.count("pushesRefusedOversized")).isEqualTo(oversized + 1);
    assertOthersUnharmed();
  }

  @Test
  void unreadableQuestions_areRefusedAndCounted() throws Exception {
    MasterCalls service = new MasterCalls(secured.cluster().connection());
    RoutePredicate predicate = table.predicate("k7@example.org");
    long malformed = IndexMetricsView.count("routesRefusedMalformed");

    assertThatThrownBy(() -> service.route(Bytes.toBytes("garbage")))
        .hasMessageContaining("Cannot read ROUTE_REQUEST");
    assertThatThrownBy(
            () -> service.route(RouteCodec.encode(new RouteCodec.RouteRequest("a b", predicate))))
        .hasMessageContaining("Cannot read the name of a table");

    assertThat(IndexMetricsView.count("routesRefusedMalformed")).isEqualTo(malformed + 2);
  }

  // ---- what is readable and false ----

  @Test
  void push_inTheNameOfAServerThatIsNotAlive_isFenced() throws Exception {
    ForgedRegion forged = new ForgedRegion(secured.cluster().connection(), "nobody,16020,1");
    long fenced = IndexMetricsView.count("pushAnswersFenced");

    assertThat(forged.send(new OpenRegion(7, forged.incarnation(9), 0))).isEqualTo("FENCED");
    assertThat(forged.send(new RenewTrust(7, 1, 0))).isEqualTo("FENCED");

    assertThat(IndexMetricsView.count("pushAnswersFenced")).isGreaterThanOrEqualTo(fenced + 2);
    assertOthersUnharmed();
  }

  @Test
  void messagesAboutRegionsThatTheServerHasNotAnnounced_changeNothing() throws Exception {
    ForgedRegion forged = new ForgedRegion(secured.cluster().connection(), serverName());

    assertThat(forged.send(new RenewTrust(800_001, 1, 0))).isEqualTo("UNKNOWN");
    assertThat(forged.send(forged.emptyFilter(800_001, 1))).isEqualTo("UNKNOWN");
    assertThat(forged.send(new StayOpen(800_001, 1, OpenReason.SUSPENDED))).isEqualTo("UNKNOWN");
    assertThat(forged.send(new ReleaseRegion(800_001))).isEqualTo("RELEASED");

    assertOthersUnharmed();
  }

  @Test
  void open_ofAnOlderEpochOfALiveRegion_isFenced() throws Exception {
    ForgedRegion forged = new ForgedRegion(secured.cluster().connection(), serverName());
    RegionFilterState live =
        IndexAdmin.of(secured.cluster().connection()).routing(table.name()).regions().get(1);
    RegionIncarnation incarnation =
        new RegionIncarnation(
            table.name().getNameAsString(),
            live.encodedName(),
            secured.cluster().regions().of(table.name()).get(1).getRegionId(),
            live.epoch(),
            live.range());
    long fenced = IndexMetricsView.count("pushAnswersFenced");

    assertThat(forged.send(new OpenRegion(800_002, ForgedRegion.before(incarnation), 0)))
        .isEqualTo("FENCED");

    assertThat(IndexMetricsView.count("pushAnswersFenced")).isGreaterThanOrEqualTo(fenced + 1);
    assertOthersUnharmed();
  }

  @Test
  void replayedMessages_bringNoTrustBack_andHarmNobody() throws Exception {
    ForgedRegion forged = new ForgedRegion(secured.cluster().connection(), serverName());
    int number = 800_003;
    LeaseToken token = forged.token();
    OpenRegion open = new OpenRegion(number, forged.incarnation(1), 0);
    assertThat(forged.send(open)).isEqualTo("OPEN");
    assertThat(forged.send(forged.emptyFilter(number, 1))).isEqualTo("STAGED");
    assertThat(forged.send(new RenewTrust(number, 1, 0), forged.token())).isEqualTo("TRUSTED");
    assertThat(forged.send(forged.damagingPage(number, 1))).as("no such segment").isEqualTo("OPEN");

    assertThat(forged.send(forged.emptyFilter(number, 1))).as("abandoned").isEqualTo("OPEN");
    assertThat(forged.send(new RenewTrust(number, 1, 0), token)).isEqualTo("OPEN");
    assertThat(forged.send(new ReleaseRegion(number))).isEqualTo("RELEASED");
    assertThat(forged.send(open)).as("release is final").isEqualTo("RELEASED");
    assertThat(forged.send(forged.emptyFilter(number, 2))).isEqualTo("RELEASED");

    assertThat(IndexMetricsView.count("pushAnswersOpenMalformed")).isPositive();
    assertOthersUnharmed();
  }

  @Test
  void tokenOfAnotherMaster_givesNoTrust() throws Exception {
    ForgedRegion forged = new ForgedRegion(secured.cluster().connection(), serverName());
    int number = 800_004;
    LeaseToken real = forged.token();
    LeaseToken foreign =
        new LeaseToken(real.master() + 1, real.issuedNanos(), real.issuedWallMillis());
    LeaseToken future =
        new LeaseToken(real.master(), real.issuedNanos() + (1L << 50), real.issuedWallMillis());
    forged.send(new OpenRegion(number, forged.incarnation(2), 0));
    forged.send(forged.emptyFilter(number, 1));

    assertThat(forged.send(new RenewTrust(number, 1, 0), foreign)).isEqualTo("APPLIED");
    assertThat(forged.send(new RenewTrust(number, 1, 0), future)).isEqualTo("APPLIED");
    assertThat(forged.send(new RenewTrust(number, 1, 0), null)).isEqualTo("APPLIED");

    forged.send(new ReleaseRegion(number));
    assertOthersUnharmed();
  }

  /** The routes of a table that the forger has nothing to do with are still narrow, and right. */
  private void assertOthersUnharmed() throws Exception {
    MasterCalls service = new MasterCalls(secured.cluster().connection());
    for (String row : List.of("a1", "k7", "z9")) {
      // Its servers renew their trust all the time; a slow moment of this machine is no harm.
      RouteAnswer answer =
          Waits.until("precise route of " + row)
              .until(
                  () -> service.route(table.name(), table.predicate(row + "@example.org")),
                  route -> route.open() == 0);
      assertThat(answer.excluded()).isEqualTo(2);
      assertThat(answer.mayHold(Bytes.toBytes(row))).isTrue();
    }
    Waits.until("an absent value is excluded everywhere")
        .until(
            () -> service.route(table.name(), table.predicate("nobody@nowhere")).excluded() == 3);
    assertThat(count(table.name(), "k7@example.org")).isEqualTo(1);
  }

  private int count(TableName name, String email) throws IOException {
    Scan scan = PublishedTable.byEmail(email);
    try (var t = secured.cluster().connection().getTable(name);
        var scanner = t.getScanner(scan)) {
      int rows = 0;
      while (scanner.next() != null) {
        rows++;
      }
      return rows;
    }
  }
}
