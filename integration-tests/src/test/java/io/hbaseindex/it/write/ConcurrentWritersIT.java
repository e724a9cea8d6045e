package io.hbaseindex.it.write;

import static io.hbaseindex.it.write.IndexedTable.BY_CITY;
import static io.hbaseindex.it.write.IndexedTable.F;
import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.admin.CheckReport;
import io.hbaseindex.client.admin.RegionIndexAdmin;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.SharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many writers on few rows, all in the same milliseconds. */
@ExtendWith(SharedCluster.class)
class ConcurrentWritersIT {
  private static final int THREADS = 8;
  private static final int ROWS = 10;
  private static final int OPERATIONS = 400;
  private static final byte[] CITY = Bytes.toBytes("city");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final IndexDefinition BY_COUNT =
      IndexDefinition.on("f", "count").named("by_count").eager();
  private static final IndexDefinition BY_BOTH =
      IndexDefinition.on("f", "city").and("f", "count").named("by_both").eager();

  @Test
  void writes_eightThreadsOnTenRows_leaveNothingMissingAndNothingDangling(TestCluster cluster)
      throws Exception {
    long seed = Seed.choose(1).get(0);
    Seed.announce(ConcurrentWritersIT.class, seed);
    try (IndexedTable indexed =
        IndexedTable.create(
            cluster, f -> f.setMaxVersions(3), t -> t, BY_CITY, BY_COUNT, BY_BOTH)) {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> writers = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed + t);
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < OPERATIONS; i++) {
                    write(indexed.table(), random);
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      threads.shutdown();

      // Dangling is for the checker to say: a put behind a delete of the same millisecond is hidden
      // from readers, and yet has to keep its posting.
      assertThat(indexed.live()).containsAll(indexed.calledFor());
      CheckReport report = new RegionIndexAdmin(cluster.connection()).check(indexed.name(), false);
      assertThat(report.isClean()).as("%s", report).isTrue();
    }
  }

  private static void write(Table table, Random random) throws IOException, InterruptedException {
    byte[] row = row(random);
    switch (random.nextInt(8)) {
      case 0 -> table.increment(new Increment(row).addColumn(F, COUNT, 1));
      case 1 -> table.append(new Append(row).addColumn(F, CITY, Bytes.toBytes("o")));
      case 2 -> table.delete(new Delete(row));
      case 3 -> table.delete(new Delete(row).addColumns(F, CITY));
      case 4 -> table.batch(batch(random), new Object[4]);
      default -> table.put(put(row, random));
    }
  }

  private static List<Row> batch(Random random) {
    return List.of(
        put(row(random), random),
        put(row(random), random),
        new Delete(row(random)).addColumns(F, COUNT),
        put(row(random), random));
  }

  private static byte[] row(Random random) {
    return Bytes.toBytes("row" + random.nextInt(ROWS));
  }

  private static Put put(byte[] row, Random random) {
    return new Put(row).addColumn(F, CITY, Bytes.toBytes("city" + random.nextInt(3)));
  }
}
