package io.hbaseindex.it.oracle;

import io.hbaseindex.it.cluster.Seed;
import io.hbaseindex.it.cluster.SharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.util.List;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random writes, region events and queries: the index and the plain scan always agree. */
@ExtendWith(SharedCluster.class)
class LocalIndexOracleIT {

  /** Runs five seeds of the full plan instead of one short one. */
  private static final boolean FULL = Boolean.getBoolean("hbaseindex.oracle.full");

  private static final OraclePlan PLAN =
      FULL ? new OraclePlan(20_000, 40, 2) : new OraclePlan(4_000, 9, 1);

  static List<Long> seeds() {
    return FULL ? Seed.fixed(1L, 2L, 3L, 4L, 5L) : Seed.fixed(1L);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void randomWritesAndRegionEvents_everyQueryEqualsThePlainScan(long seed, TestCluster cluster)
      throws Exception {
    Seed.announce(getClass(), seed);
    TableDescriptor descriptor = OracleTable.descriptor();
    cluster.tables().create(descriptor, OracleTable.firstSplits());
    try {
      long began = System.nanoTime();
      OracleRun run = new OracleRun(cluster, descriptor.getTableName(), PLAN, seed);
      run.run();
      System.out.printf(
          "seed %d: %s; %.0f s%n", seed, run.summary(), (System.nanoTime() - began) / 1e9);
    } finally {
      cluster.tables().drop(descriptor.getTableName());
    }
  }
}
