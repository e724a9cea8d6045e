/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hbaseindex.client.IndexedAsyncConnection;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.explain.RouteFigures;
import io.hbaseindex.client.routing.RoutingCounter;
import io.hbaseindex.client.routing.RoutingCounters;
import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.it.client.ScanAnswer.AsyncWay;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.Waits;
import io.hbaseindex.region.metrics.IndexCounter;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Strong scans that begin to read by a guess while their route is asked for. */
@OnSharedCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GuessedScansIT {
  private static final int MOVES = 150;

  private TestCluster cluster;
  private Configuration conf;
  private PeopleTable people;

  @BeforeAll
  void setUp(TestCluster shared) throws Exception {
    cluster = shared;
    conf = new Configuration(cluster.configuration());
    conf.setLong(RoutingSettings.TIMEOUT_MS, 30_000);
    people = PeopleTable.create(cluster);
  }

  @AfterAll
  void tearDown() throws Exception {
    people.close();
  }

  private IndexedConnection connect() throws Exception {
    IndexedConnection connection = IndexedConnection.wrap(ConnectionFactory.createConnection(conf));
    people.awaitPrecise(connection.routing());
    return connection;
  }

  private long gathered() throws Exception {
    return people.counters().get(IndexCounter.SCANS_GATHERED);
  }

  /** Nine times, and on until one scan has guessed: a route that is there at once needs none. */
  private static boolean isToBeAskedAgain(int times, RoutingCounters counters) {
    return times < 9 || counters.get(RoutingCounter.GUESSES) == 0 && times < 1_000;
  }

  /** Some scans guessed, all of them right. */
  private static void assertGuessedRight(RoutingCounters counters, long most) {
    assertThat(counters.get(RoutingCounter.GUESSES)).as("%s", counters).isBetween(1L, most);
    assertThat(counters.get(RoutingCounter.GUESSES_CONFIRMED))
        .as("%s", counters)
        .isEqualTo(counters.get(RoutingCounter.GUESSES));
  }

  @Test
  void valueAskedAgain_isReadOnce_whileTheRouteIsAskedFor() throws Exception {
    try (IndexedConnection connection = connect()) {
      RoutingCounters counters = connection.routing().counters();
      long before = gathered();
      long asked = counters.get(RoutingCounter.MASTER_ASKED);
      assertThat(people.rows(connection, PeopleTable.where("email", "k7@example.org")))
          .containsExactly("k7");
      assertThat(counters.get(RoutingCounter.GUESSES)).isZero();

      int again = 0;
      for (; isToBeAskedAgain(again, counters); again++) {
        assertThat(people.rows(connection, PeopleTable.where("email", "k7@example.org")))
            .containsExactly("k7");
      }

      assertGuessedRight(counters, again);
      assertThat(counters.get(RoutingCounter.MASTER_ASKED)).isEqualTo(asked + 1 + again);
      assertThat(gathered() - before).as("regions read").isEqualTo(1 + again);
      Waits.until("explain tells of a guess")
          .until(
              () -> explained(connection, PeopleTable.where("email", "k7@example.org")),
              RouteFigures::guessed);
    }
  }

  private RouteFigures explained(IndexedConnection connection, Scan scan) throws Exception {
    return IndexAdmin.of(connection).explain(people.name(), scan).route();
  }

  @Test
  void valueThatIsElsewhereNow_isFoundThere() throws Exception {
    try (IndexedConnection connection = connect()) {
      people.table().put(PeopleTable.person("b-mover", "mover", "nowhere"));
      assertThat(people.rows(connection, PeopleTable.where("email", "mover")))
          .containsExactly("b-mover");

      people.table().put(PeopleTable.person("z-mover", "mover", "nowhere"));
      assertThat(people.rows(connection, PeopleTable.where("email", "mover")))
          .as("a region that was not guessed")
          .containsExactly("b-mover", "z-mover");
      people.table().delete(new Delete(Bytes.toBytes("b-mover")));

      assertThat(people.rows(connection, PeopleTable.where("email", "mover")))
          .as("a region that was guessed in vain")
          .containsExactly("z-mover");
    }
  }

  @Test
  void tableWhoseRequestsHaveAttributes_readsByItsOwnRequestsAlone() throws Exception {
    // HBase 2.5, for which this is compiled too, gives requests no attributes.
    Optional<Method> attribute =
        Stream.of(TableBuilder.class.getMethods())
            .filter(method -> method.getName().equals("setRequestAttribute"))
            .findAny();
    assumeTrue(attribute.isPresent());
    try (IndexedConnection connection = connect();
        Table table =
            ((TableBuilder)
                    attribute
                        .get()
                        .invoke(
                            connection.getTableBuilder(people.name(), null),
                            "who",
                            Bytes.toBytes("me")))
                .build()) {
      long before = gathered();
      for (int i = 0; i < 3; i++) {
        assertThat(PeopleTable.rowsIn(table, PeopleTable.where("email", "c2@example.org")))
            .containsExactly("c2");
      }

      assertThat(gathered()).isEqualTo(before);
      assertThat(connection.routing().counters().get(RoutingCounter.GUESSES)).isZero();
    }
  }

  @Test
  void copyOfTheFilters_guessesValuesThatNobodyAskedForBefore() throws Exception {
    conf.setLong(RoutingSettings.GUESS_MS, 3_600_000);
    try (IndexedConnection connection = connect()) {
      RoutingCounters counters = connection.routing().counters();
      Waits.until("a copy of the filters is there")
          .until(
              () -> {
                people.rows(connection, PeopleTable.where("email", "a0@example.org"));
                return counters.get(RoutingCounter.GUESSES);
              },
              guesses -> guesses > 0);
      long guesses = counters.get(RoutingCounter.GUESSES);
      long before = gathered();
      people.table().put(PeopleTable.person("q-late", "younger than the copy", "nowhere"));

      for (char letter = 'a'; letter <= 'z'; letter++) {
        assertThat(people.rows(connection, PeopleTable.where("email", letter + "8@example.org")))
            .containsExactly(letter + "8");
      }
      assertThat(people.rows(connection, PeopleTable.where("email", "younger than the copy")))
          .containsExactly("q-late");

      // How many depends on the machine: a route that is there at once needs no guess.
      assertThat(counters.get(RoutingCounter.GUESSES) - guesses).as("%s", counters).isPositive();
      assertThat(gathered() - before).as("regions read, one for each value").isBetween(27L, 32L);
      assertThat(counters.get(RoutingCounter.COPY_REFRESHES)).isEqualTo(1);
    } finally {
      conf.unset(RoutingSettings.GUESS_MS);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = AsyncWay.class,
      names = {"ALL_AT_ONCE", "SCANNER", "POOLED_CONSUMER"})
  void asyncScan_asksAgain_andGuesses(AsyncWay way) throws Exception {
    List<String> expected =
        ScanAnswer.of(
            cluster.connection(), people.name(), PeopleTable.where("email", "m3@example.org"));
    ExecutorService pool = Executors.newCachedThreadPool();
    try (IndexedAsyncConnection connection =
        IndexedAsyncConnection.wrap(ConnectionFactory.createAsyncConnection(conf).get())) {
      people.awaitPrecise(connection.routing());
      long before = gathered();
      RoutingCounters counters = connection.routing().counters();
      int asked = 0;
      for (; isToBeAskedAgain(asked - 1, counters); asked++) {
        assertThat(
                ScanAnswer.of(
                    connection,
                    people.name(),
                    PeopleTable.where("email", "m3@example.org"),
                    way,
                    pool))
            .isEqualTo(expected);
      }

      assertGuessedRight(counters, asked - 1);
      assertThat(gathered() - before).isEqualTo(asked);
    } finally {
      pool.shutdown();
    }
  }

  /** Values that move between regions, each asked for right after its write was acknowledged. */
  @Test
  void r5_valuesThatMove_areFoundAtOnce_inOrder() throws Exception {
    long seed = Seed.fixed(20261118L).get(0);
    Seed.announce(getClass(), seed);
    Random random = new Random(seed);
    List<TreeSet<String>> rows = List.of(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    try (IndexedConnection connection = connect()) {
      for (int move = 0; move < MOVES; move++) {
        int value = random.nextInt(rows.size());
        String row = (char) ('a' + random.nextInt(26)) + "-moved" + value;
        if (rows.get(value).remove(row)) {
          people.table().delete(new Delete(Bytes.toBytes(row)));
        } else {
          rows.get(value).add(row);
          people.table().put(PeopleTable.person(row, "moving" + value, "nowhere"));
        }
        int limit = random.nextInt(4);
        assertThat(
                people.rows(
                    connection,
                    PeopleTable.where("email", "moving" + value).setLimit(limit == 0 ? -1 : limit)))
            .as("seed %d, move %d", seed, move)
            .containsExactlyElementsOf(
                rows.get(value).stream().limit(limit == 0 ? Long.MAX_VALUE : limit).toList());
      }
      RoutingCounters counters = connection.routing().counters();
      assertThat(counters.get(RoutingCounter.GUESSES)).as("%s", counters).isGreaterThan(MOVES / 10);
      assertThat(counters.get(RoutingCounter.GUESSES_CONFIRMED))
          .as("some guesses were right and some were not: %s", counters)
          .isBetween(1L, counters.get(RoutingCounter.GUESSES) - 1);
    }
  }
}
