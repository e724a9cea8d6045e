/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.bench.phoenix;

import io.hbaseindex.bench.cluster.BenchCluster;
import io.hbaseindex.bench.cluster.CustomerRows;
import io.hbaseindex.client.IndexedConnection;
import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import io.hbaseindex.client.admin.status.Progress;
import io.hbaseindex.client.query.FoundRow;
import io.hbaseindex.client.query.FoundRows;
import io.hbaseindex.client.query.IndexQuery;
import io.hbaseindex.client.query.QueryClient;
import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table through HBase's own API: without any index, or with ours. */
final class HBaseContender implements Contender {
  /** How the table is indexed. */
  enum Kind {
    PLAIN("plain HBase"),
    EAGER("eager"),
    COVERING("eager, covering"),
    LAZY("lazy");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private static final Duration PRECISE = Duration.ofMinutes(5);

  private final Kind kind;
  private final TableName name;
  private final BenchCluster cluster;
  private final IndexedConnection routed;
  private final int rows;

  HBaseContender(Kind kind, BenchCluster cluster, int rows) throws IOException {
    this.kind = kind;
    this.name = TableName.valueOf("ours_" + kind.name().toLowerCase());
    this.cluster = cluster;
    this.routed =
        IndexedConnection.wrap(ConnectionFactory.createConnection(cluster.configuration()));
    this.rows = rows;
  }

  @Override
  public String label() {
    return kind.label;
  }

  @Override
  public void create(byte[][] splitKeys) throws IOException {
    TableDescriptor plain =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(CustomerRows.FAMILY))
            .build();
    IndexDefinition.Builder email =
        IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.EMAIL).named("by_email");
    IndexDefinition.Builder city =
        IndexDefinition.on(CustomerRows.FAMILY, CustomerRows.CITY)
            .and(CustomerRows.FAMILY, CustomerRows.STATUS)
            .named("by_city");
    cluster.create(
        switch (kind) {
          case PLAIN -> plain;
          case EAGER -> IndexedTableDescriptor.with(plain, email.eager(), city.eager());
          case COVERING ->
              IndexedTableDescriptor.with(
                  plain,
                  email
                      .including(List.of(ref(CustomerRows.CITY), ref(CustomerRows.STATUS)))
                      .eager(),
                  city.including(List.of(ref(CustomerRows.EMAIL))).eager());
          case LAZY -> IndexedTableDescriptor.with(plain, email.lazy(), city.lazy());
        },
        splitKeys);
  }

  private static ColumnRef ref(byte[] qualifier) {
    return ColumnRef.of(CustomerRows.FAMILY, qualifier);
  }

  @Override
  public List<TableName> tables() {
    return List.of(name);
  }

  @Override
  public void settle() throws IOException, InterruptedException {
    if (kind == Kind.PLAIN) {
      return;
    }
    IndexAdmin admin = IndexAdmin.of(routed);
    admin.awaitReady(name, PRECISE, Progress.NONE);
    long deadline = System.nanoTime() + PRECISE.toNanos();
    while (!admin.routing(name).regions().stream().allMatch(RegionFilterState::isPrecise)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "Cannot measure: not all regions were precise after " + PRECISE);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  @Override
  public long filterBytes() throws IOException {
    return kind == Kind.PLAIN
        ? 0
        : IndexAdmin.of(routed).routing(name).regions().stream()
            .mapToLong(region -> region.size().bytes())
            .sum();
  }

  @Override
  public Session open() throws IOException {
    Table table = kind == Kind.PLAIN ? cluster.connection().getTable(name) : routed.getTable(name);
    return new Session() {
      @Override
      public void write(List<Put> puts) throws IOException {
        if (puts.size() == 1) {
          table.put(puts.get(0));
        } else {
          table.put(puts);
        }
      }

      @Override
      public long ask(CustomerQuestion question, int number) throws IOException {
        if (question.isCount() && kind != Kind.PLAIN) {
          return QueryClient.of(routed).count(query(question, number));
        }
        if (question.isOrdered()) {
          return first(question, number).size();
        }
        long found = 0;
        try (ResultScanner scanner = table.getScanner(scan(question, number))) {
          for (Result result = scanner.next(); result != null; result = scanner.next()) {
            found++;
          }
        }
        return found;
      }

      @Override
      public Set<String> keys(CustomerQuestion question, int number) throws IOException {
        if (question.isOrdered()) {
          return first(question, number);
        }
        Set<String> keys = new TreeSet<>();
        try (ResultScanner scanner = table.getScanner(scan(question, number))) {
          scanner.forEach(result -> keys.add(CustomerQuestion.text(result.getRow())));
        }
        return keys;
      }

      /** The keys of the first rows by e-mail address; a plain table is sorted by who asks. */
      private Set<String> first(CustomerQuestion question, int number) throws IOException {
        if (kind != Kind.PLAIN) {
          try (FoundRows found =
              QueryClient.of(routed)
                  .rows(
                      query(question, number)
                          .orderBy(CustomerQuestion.column(CustomerRows.EMAIL))
                          .limit(CustomerQuestion.FIRST))) {
            return found.stream()
                .map(FoundRow::keyText)
                .collect(Collectors.toCollection(TreeSet::new));
          }
        }
        TreeMap<String, String> byEmail = new TreeMap<>();
        try (ResultScanner scanner = table.getScanner(scan(question, number))) {
          for (Result result : scanner) {
            byEmail.put(
                CustomerQuestion.text(result.getValue(CustomerRows.FAMILY, CustomerRows.EMAIL)),
                CustomerQuestion.text(result.getRow()));
            if (byEmail.size() > CustomerQuestion.FIRST) {
              byEmail.pollLastEntry();
            }
          }
        }
        return new TreeSet<>(byEmail.values());
      }

      @Override
      public void close() throws IOException {
        table.close();
      }
    };
  }

  private Scan scan(CustomerQuestion question, int number) {
    Scan scan = query(question, number).toScan();
    if (kind == Kind.PLAIN) {
      scan.setAttribute(IndexSettings.SCAN_USE_INDEX, Bytes.toBytes("false"));
    }
    return scan;
  }

  private IndexQuery query(CustomerQuestion question, int number) {
    return IndexQuery.from(name)
        .where(question.condition(number, rows))
        .select(
            CustomerQuestion.column(CustomerRows.EMAIL),
            CustomerQuestion.column(CustomerRows.CITY),
            CustomerQuestion.column(CustomerRows.STATUS));
  }

  @Override
  public void close() throws IOException {
    routed.close();
  }
}
