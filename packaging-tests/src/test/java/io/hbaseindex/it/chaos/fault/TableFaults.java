/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.fault;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.load.Gate;
import io.hbaseindex.it.chaos.load.Log;
import io.hbaseindex.it.chaos.load.Tally;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Does to the table what operators and HBase itself do, one thing after the other, from a seed. */
public final class TableFaults implements Runnable {
  /** What can be done. */
  private enum Kind {
    SPLIT,
    MERGE,
    MOVE,
    BALANCE,
    FLUSH,
    COMPACT,
    MAJOR_COMPACT,
    ALTER_BLOCK_SIZE,
    ALTER_VERSIONS,
    DROP_AND_CREATE_INDEX,
    /** The index is built anew with others. */
    EXCHANGE_INCLUDED_COLUMNS,
    /** Filters go from the master to regions of a table, to other shards of it, and back. */
    CHANGE_HOLDERS,
    MOVE_HOLDER;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Enough to find the one point in 52 that a small region may have. */
  private static final int ATTEMPTS = 1_000;

  private static final int FEWEST_REGIONS = 4;
  private static final int MOST_REGIONS = 10;
  private static final int PAUSE_MILLIS = 6_000;
  private static final long LIMIT_SECONDS = 60;

  /** So many regions hold filters, if the master does not. */
  private static final int HOLDERS = 5;

  private final Connection connection;
  private final Gate gate;
  private final Tally tally;
  private final SplittableRandom random;
  private final Deck<Kind> deck;
  private volatile boolean ended;

  public TableFaults(
      Connection connection, Gate gate, Tally tally, SplittableRandom random, Set<String> without) {
    this.connection = connection;
    this.gate = gate;
    this.tally = tally;
    this.random = random;
    List<Kind> kinds = new ArrayList<>(Arrays.asList(Kind.values()));
    kinds.removeIf(kind -> without.contains(kind.text()));
    this.deck = new Deck<>(kinds, random);
  }

  /** Ends after what it is doing. */
  public void end() {
    ended = true;
  }

  @Override
  public void run() {
    try {
      while (!ended) {
        Thread.sleep(1_000 + random.nextInt(PAUSE_MILLIS));
        if (!ended) {
          one(deck.draw());
        }
      }
    } catch (Exception e) {
      tally.wrong(Tally.Wrong.STUCK, "Cannot go on changing the table: " + e);
    }
  }

  private void one(Kind kind) throws Exception {
    try (Admin admin = connection.getAdmin()) {
      // As a client's step: while the table is to be at rest, nothing is done to it.
      gate.share(() -> make(admin, kind));
      tally.faulted(kind.text());
    } catch (IOException | RuntimeException | ExecutionException | TimeoutException e) {
      // Regions in transition, servers that are down: HBase may refuse, and often does.
      tally.faulted(kind.text() + ", refused");
      Log.line("refused: " + kind.text() + ": " + firstLine(e));
    }
  }

  private static String firstLine(Throwable error) {
    return String.valueOf(error).lines().findFirst().orElse("");
  }

  private void make(Admin admin, Kind kind) throws Exception {
    List<RegionInfo> regions = admin.getRegions(TargetTable.NAME);
    int dice = random.nextInt(regions.size());
    RegionInfo region = regions.get(dice);
    Log.line("table: " + kind.text() + " (" + regions.size() + " regions)");
    switch (kind) {
      case SPLIT -> {
        if (regions.size() < MOST_REGIONS) {
          admin
              .splitRegionAsync(region.getRegionName(), splitPoint(region))
              .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
      }
      case MERGE -> {
        if (regions.size() > FEWEST_REGIONS && dice + 1 < regions.size()) {
          byte[][] two = {
            region.getEncodedNameAsBytes(), regions.get(dice + 1).getEncodedNameAsBytes()
          };
          admin.mergeRegionsAsync(two, false).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
      }
      case MOVE -> move(admin, region);
      case CHANGE_HOLDERS -> changeHolders();
      case MOVE_HOLDER -> {
        List<RegionInfo> holders = admin.getRegions(HoldersTable.NAME);
        if (!holders.isEmpty()) {
          move(admin, holders.get(random.nextInt(holders.size())));
        }
      }
      case BALANCE -> admin.balance(BalanceRequest.defaultInstance());
      case FLUSH -> admin.flush(TargetTable.NAME);
      case COMPACT -> admin.compact(TargetTable.NAME);
      case MAJOR_COMPACT -> admin.majorCompact(TargetTable.NAME);
      case ALTER_BLOCK_SIZE -> alterBlockSize(admin);
      case ALTER_VERSIONS -> alterVersions(admin);
      case DROP_AND_CREATE_INDEX -> {
        IndexAdmin indexes = IndexAdmin.of(connection);
        indexes.drop(TargetTable.NAME, TargetTable.BY_EXTRA.name());
        indexes.create(TargetTable.NAME, TargetTable.BY_EXTRA);
      }
      case EXCHANGE_INCLUDED_COLUMNS ->
          IndexAdmin.of(connection)
              .create(
                  TargetTable.NAME,
                  random.nextBoolean() ? TargetTable.BY_EXTRA : TargetTable.BY_EXTRA_WITH_MORE);
      default -> throw new IllegalArgumentException("Cannot make " + kind);
    }
  }

  private void move(Admin admin, RegionInfo region) throws IOException {
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    admin.move(region.getEncodedNameAsBytes(), servers.get(random.nextInt(servers.size())));
  }

  /** The master holds filters for a third of the time. */
  private void changeHolders() throws IOException {
    int shards = random.nextInt(HOLDERS + 2) - 1;
    if (shards < 1) {
      IndexAdmin.of(connection).keepFilters(0, 1, Map.of());
    } else {
      IndexAdmin.of(connection).keepFilters(HOLDERS, shards, Map.of());
    }
    Log.line("filters are kept by " + (shards < 1 ? "the master" : shards + " shards"));
  }

  /**
   * Somewhere among the keys that clients use, or right behind the region's first key if it has
   * none of them. HBase refuses one that is the region's first, or not in it.
   */
  private byte[] splitPoint(RegionInfo region) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      char letter = (char) ('a' + random.nextInt(26));
      byte[] point = Bytes.toBytes(letter + (random.nextBoolean() ? "-kinds" : "-register"));
      if (region.containsRow(point)) {
        return point;
      }
    }
    return Bytes.add(region.getStartKey(), Bytes.toBytes("-"));
  }

  private void alterBlockSize(Admin admin) throws IOException {
    TableDescriptor table = admin.getDescriptor(TargetTable.NAME);
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(table)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(TargetTable.F))
                    .setBlocksize(32_768 + 1_024 * random.nextInt(64))
                    .build())
            .build());
  }

  private void alterVersions(Admin admin) throws IOException {
    TableDescriptor table = admin.getDescriptor(TargetTable.NAME);
    int versions = table.getColumnFamily(TargetTable.G).getMaxVersions();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(table)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(TargetTable.G))
                    .setMaxVersions(versions == 1 ? 3 : 1)
                    .build())
            .build());
  }
}
