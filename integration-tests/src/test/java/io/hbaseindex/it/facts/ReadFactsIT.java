/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.facts;

import static io.hbaseindex.it.facts.FactsTable.DATA;
import static io.hbaseindex.it.facts.FactsTable.HIDDEN;
import static io.hbaseindex.it.facts.FactsTable.QUALIFIER;
import static io.hbaseindex.it.facts.FactsTable.hiddenPut;
import static io.hbaseindex.it.facts.FactsTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.it.cluster.OnSharedCluster;
import io.hbaseindex.it.cluster.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** How HBase reads: what hooks see of a scan, and how a scanner can be made to skip rows. */
@OnSharedCluster
class ReadFactsIT {

  private static final int ROWS = 100;

  @Test
  void scanAndGetWithoutFamilies_nameAllFamiliesBeforeTheHooks(TestCluster cluster)
      throws IOException {
    try (FactsTable facts = new FactsTable(cluster)) {
      facts.table().put(put("r", "v"));
      facts.table().put(hiddenPut("r", 5));
      facts.table().put(hiddenPut("s", 5));
      Set<String> ofScan = Collections.synchronizedSet(new TreeSet<>());
      Set<String> ofGet = Collections.synchronizedSet(new TreeSet<>());
      facts.observer().onPreScannerOpen =
          scan -> {
            scan.getFamilyMap().keySet().forEach(family -> ofScan.add(Bytes.toString(family)));
            scan.getFamilyMap().remove(HIDDEN);
          };
      facts.observer().onPreGet =
          get -> {
            get.getFamilyMap().keySet().forEach(family -> ofGet.add(Bytes.toString(family)));
            get.getFamilyMap().remove(HIDDEN);
          };

      assertThat(facts.rows(new Scan())).as("rows of the hidden family gone").containsExactly("r");
      assertThat(facts.table().get(new Get(Bytes.toBytes("r"))).size()).isEqualTo(1);

      assertThat(ofScan).containsExactly("d", "h");
      assertThat(ofGet).containsExactly("d", "h");
    }
  }

  @Test
  void scanOfTheHiddenFamilyOnly_whenStripped_becomesAScanOfEverything(TestCluster cluster)
      throws IOException {
    try (FactsTable facts = new FactsTable(cluster)) {
      facts.table().put(put("r", "v"));
      facts.table().put(hiddenPut("s", 5));
      facts.observer().onPreScannerOpen = scan -> scan.getFamilyMap().remove(HIDDEN);

      assertThat(facts.rows(new Scan().addFamily(HIDDEN))).containsExactly("r", "s");
    }
  }

  @Test
  void reseekInPostScannerFilterRow_skipsRowsAndKeepsTheResult(TestCluster cluster)
      throws IOException {
    try (FactsTable facts = new FactsTable(cluster)) {
      load(facts);
      List<String> plain = facts.rows(matching());
      int plainCalls = filterRowCalls(facts);

      facts.observer().onPostScannerFilterRow =
          (scanner, dropped) ->
              scanner.reseek(nextMatch(Bytes.toString(CellUtil.cloneRow(dropped))));
      List<String> jumped = facts.rows(matching());
      int jumpedCalls = filterRowCalls(facts) - plainCalls;

      assertThat(plain).hasSize(10).isEqualTo(jumped);
      assertThat(plainCalls).isEqualTo(ROWS - 10);
      assertThat(jumpedCalls).isLessThanOrEqualTo(12);
    }
  }

  @Test
  void reseek_backwardsIsIgnored_pastTheEndIsFalse_onAReversedScannerThrows(TestCluster cluster)
      throws IOException {
    try (FactsTable facts = new FactsTable(cluster)) {
      load(facts);
      try (RegionScanner scanner = facts.region().getScanner(new Scan().addFamily(DATA))) {
        assertThat(scanner.reseek(Bytes.toBytes("r50"))).isTrue();
        assertThat(next(scanner)).isEqualTo("r50");
        scanner.reseek(Bytes.toBytes("r10"));
        assertThat(next(scanner)).isEqualTo("r51");
        assertThat(scanner.reseek(Bytes.toBytes("z"))).isFalse();
      }
      try (RegionScanner reversed =
          facts.region().getScanner(new Scan().addFamily(DATA).setReversed(true))) {
        next(reversed);
        assertThatThrownBy(() -> reversed.reseek(Bytes.toBytes("r50")))
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }

  @Test
  void filterAllRemaining_withAnEmptyAnswer_endsTheScanOfAllRegions(TestCluster cluster)
      throws IOException {
    try (FactsTable facts = new FactsTable(cluster, "r50")) {
      load(facts);

      assertThat(facts.rows(whileNot("r00"))).isEmpty();
      assertThat(facts.rows(whileNot("r10")))
          .as("an answer with rows ends the region only")
          .hasSize(10 + 50);
    }
  }

  private static Scan whileNot(String row) {
    return new Scan()
        .setFilter(
            new WhileMatchFilter(
                new RowFilter(
                    CompareOperator.NOT_EQUAL, new BinaryComparator(Bytes.toBytes(row)))));
  }

  private static void load(FactsTable facts) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(put(String.format("r%02d", i), i % 10 == 7 ? "hit" : "miss"));
    }
    facts.table().put(puts);
  }

  private static Scan matching() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(DATA, QUALIFIER, CompareOperator.EQUAL, Bytes.toBytes("hit"));
    filter.setFilterIfMissing(true);
    return new Scan().setFilter(filter);
  }

  /** The first matching row after {@code row}, or a key past the last row. */
  private static byte[] nextMatch(String row) {
    int number = Integer.parseInt(row.substring(1));
    int next = number - number % 10 + 7;
    if (next <= number) {
      next += 10;
    }
    return Bytes.toBytes(next < ROWS ? String.format("r%02d", next) : "z");
  }

  private static int filterRowCalls(FactsTable facts) throws IOException {
    return Collections.frequency(facts.observer().hooks(), "postScannerFilterRow");
  }

  private static String next(RegionScanner scanner) throws IOException {
    List<Cell> cells = new ArrayList<>();
    scanner.next(cells);
    return Bytes.toString(CellUtil.cloneRow(cells.get(0)));
  }
}
