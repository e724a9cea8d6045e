/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.check.CheckReport;
import io.hbaseindex.client.admin.explain.Explanation;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.admin.status.TableStates;
import io.hbaseindex.client.query.AsyncQueryClient;
import io.hbaseindex.client.query.Column;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.Page;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.client.query.Value;
import io.hbaseindex.client.query.sum.Sum;
import io.hbaseindex.client.query.sum.ValueSum;
import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import io.hbaseindex.it.cluster.TestTables;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The code in docs/API.md: it compiles, it runs, and the document shows it word for word. */
@OnSharedCluster
class ApiExamplesIT {
  private static final Path DOCUMENT = Path.of("..", "docs", "API.md");
  private static final Path SOURCE =
      Path.of("src/test/java", ApiExamplesIT.class.getName().replace('.', '/') + ".java");

  @Test
  void examples_run(TestCluster cluster) throws Exception {
    TableName people = TestTables.uniqueName("examples");
    cluster
        .tables()
        .create(
            TableDescriptorBuilder.newBuilder(people)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build());
    try {
      fill(cluster.connection(), people);
      create(cluster.connection(), people);
      query(cluster.connection(), people);
      narrow(cluster.connection(), people);
      mend(cluster.connection(), people);
    } finally {
      cluster.tables().drop(people);
    }
  }

  private static void create(Connection connection, TableName people) throws Exception {
    // example: create
    IndexAdmin admin = IndexAdmin.of(connection);
    admin.create(people, IndexDefinition.on("f", "city").named("by_city").eager());
    admin.create(people, IndexDefinition.on("f", "joined").named("by_joined").lazy());
    TableStates states = admin.awaitReady(people, Duration.ofMinutes(10), Progress.NONE);
    // end
    assertThat(states.isReady()).isTrue();
  }

  private static void query(Connection connection, TableName people) throws IOException {
    List<String> found = new ArrayList<>();
    // example: query
    Column city = Column.of("f", "city");
    Column joined = Column.of("f", "joined");
    Column email = Column.of("f", "email");

    QueryClient client = QueryClient.of(connection);
    IndexQuery query =
        IndexQuery.from(people)
            .where(city.in("Graz", "Linz").and(joined.atLeast(Value.of(2_000L))))
            .select(email)
            .limit(100);
    try (FoundRows rows = client.rows(query)) {
      for (FoundRow row : rows) {
        found.add(row.keyText() + " " + row.text(email).orElse("no e-mail"));
      }
    }
    long count = client.count(query);
    boolean any = client.exists(query);
    // end
    assertThat(found).containsExactly("r3 r3@example.org", "r4 r4@example.org");
    assertThat(count).isEqualTo(2);
    assertThat(any).isTrue();

    // example: sum
    Column since = joined.as(ValueType.LONG);
    Sum sum = client.sum(IndexQuery.from(people).where(city.equalTo("Graz")), since);
    Optional<BigDecimal> average = sum.average();
    IndexQuery everybody = IndexQuery.from(people).where(city.isPresent());
    List<ValueSum> byCity = client.sums(everybody, city, since);
    // end
    assertThat(average).hasValueSatisfying(a -> assertThat(a).isPositive());
    assertThat(byCity)
        .filteredOn(one -> Bytes.toString(one.value()).equals("Graz"))
        .extracting(ValueSum::sum)
        .containsExactly(sum);

    // example: times
    CountedTimes march =
        CountedTimes.between(
            TimeBucket.DAY,
            Instant.parse("2026-03-01T00:00:00Z"),
            Instant.parse("2026-04-01T00:00:00Z"));
    IndexQuery inGraz = IndexQuery.from(people).where(city.equalTo("Graz"));
    NavigableMap<Instant, Long> byDay = client.countByTime(inGraz, city, march);
    NavigableMap<Instant, Long> byMonth = client.countByTime(inGraz, city, TimeBucket.MONTH);
    // end
    assertThat(byMonth.values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(client.count(inGraz))
        .isPositive();
    assertThat(byDay.keySet()).allMatch(day -> march.contains(day.toEpochMilli()));

    List<String> latest = new ArrayList<>();
    // example: order
    IndexQuery newest =
        IndexQuery.from(people)
            .where(city.in("Graz", "Linz"))
            .orderBy("f", "joined")
            .descending()
            .limit(3);
    try (FoundRows rows = client.rows(newest)) {
      rows.forEach(row -> latest.add(row.keyText()));
    }
    // end
    assertThat(latest).containsExactly("r4", "r3", "r1");

    List<FoundRow> all = new ArrayList<>();
    // example: page
    Optional<String> token = Optional.empty();
    do {
      Page page = client.page(query, 20, token);
      all.addAll(page.rows());
      token = page.next(); // plain text: keep it, send it, go on in another process
    } while (token.isPresent());
    // end
    assertThat(all).hasSize(2);
  }

  private static void narrow(Connection plain, TableName people) throws Exception {
    Column city = Column.of("f", "city");
    Column phone = Column.of("f", "phone");
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(plain.getConfiguration()).get()) {
      // example: async
      AsyncQueryClient client = AsyncQueryClient.of(connection);
      IndexQuery query =
          IndexQuery.from(people)
              .where(city.like("Gr%").and(phone.isAbsent()))
              .fromRow("r1")
              .beforeRow("r4")
              .passing(new RowFilter(CompareOperator.NOT_EQUAL, new SubstringComparator("2")));
      CompletableFuture<List<FoundRow>> rows = client.all(query);
      CompletableFuture<Long> count = client.count(query);
      // end
      assertThat(rows.get()).map(FoundRow::keyText).containsExactly("r1", "r3");
      assertThat(count.get()).isEqualTo(2);
    }
  }

  private static void mend(Connection connection, TableName people) throws IOException {
    IndexAdmin admin = IndexAdmin.of(connection);
    IndexQuery query = IndexQuery.from(people).where(Column.of("f", "city").equalTo("Graz"));
    // example: explain
    Explanation explanation = admin.explain(people, query.toExplainedScan());
    long postings = explanation.counted("postingsRead");
    int skipped = explanation.route().skipped();
    // end
    assertThat(postings).isEqualTo(3);
    assertThat(skipped).isZero();
    // example: partial
    Column status = Column.of("f", "status");
    admin.create(
        people,
        IndexDefinition.on("f", "city")
            .where(status.in("open", "new").forIndex())
            .named("busy_by_city")
            .eager());
    // end
    assertThat(admin.list(people)).anyMatch(IndexDefinition::isPartial);
    // example: verify
    CheckReport report = admin.verify(people, step -> System.out.println(step));
    if (!report.isClean()) {
      admin.repair(people, Progress.NONE);
    }
    // end
    assertThat(report.isClean()).isTrue();
  }

  private static void fill(Connection connection, TableName people) throws IOException {
    try (Table table = connection.getTable(people)) {
      String[] cities = {"Graz", "Graz", "Wien", "Graz", "Linz"};
      for (int i = 0; i < cities.length; i++) {
        byte[] f = Bytes.toBytes("f");
        table.put(
            new Put(Bytes.toBytes("r" + i))
                .addColumn(f, Bytes.toBytes("city"), Bytes.toBytes(cities[i]))
                .addColumn(f, Bytes.toBytes("joined"), Bytes.toBytes(1_000L * i))
                .addColumn(f, Bytes.toBytes("email"), Bytes.toBytes("r" + i + "@example.org")));
      }
    }
  }

  @Test
  void document_showsTheExamplesWordForWord() throws IOException {
    String document = Files.readString(DOCUMENT);
    Matcher examples =
        Pattern.compile("( *)// example: \\w+\\n(.*?) *// end\\n", Pattern.DOTALL)
            .matcher(Files.readString(SOURCE));
    int shown = 0;
    while (examples.find()) {
      String code = examples.group(2).replaceAll("(?m)^" + examples.group(1), "");
      assertThat(document).contains("```java\n" + code + "```");
      shown++;
    }
    assertThat(shown).isEqualTo(10);
  }
}
