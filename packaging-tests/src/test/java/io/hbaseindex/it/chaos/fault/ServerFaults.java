/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.fault;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.it.chaos.load.Gate;
import io.hbaseindex.it.chaos.load.Log;
import io.hbaseindex.it.chaos.load.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * Breaks servers, one fault after the other, drawn from a seed: breaks, holds, heals, starts what
 * has ended, and waits until the table is whole and its filters are trusted again.
 */
public final class ServerFaults implements Runnable {
  private static final Duration SHORT = Duration.ofSeconds(3);

  /** More than the lease of bin/cluster, less than its session. */
  private static final Duration BEYOND_LEASE = Duration.ofMillis(9_000);

  /** More than the session of bin/cluster. */
  private static final Duration BEYOND_SESSION = Duration.ofSeconds(16);

  private static final Duration CALM = Duration.ofSeconds(3);
  private static final int LONGEST_STEP_SECONDS = 20;

  /** Regions that hold filters, and as many shards: enough for each server to have one. */
  private static final int HOLDERS = 5;

  private final Servers servers;
  private final Connection connection;
  private final Recovery recovery;
  private final Tally tally;
  private final SplittableRandom random;
  private final Deck<ServerFault> deck;
  private final Gate.Work betweenFaults;
  private final List<String> everybody = new ArrayList<>(Servers.ALL);
  private volatile boolean ended;

  public ServerFaults(
      Servers servers,
      Connection connection,
      Recovery recovery,
      Tally tally,
      SplittableRandom random,
      Set<String> without,
      Gate.Work betweenFaults) {
    this.servers = servers;
    this.connection = connection;
    this.recovery = recovery;
    this.tally = tally;
    this.random = random;
    this.betweenFaults = betweenFaults;
    everybody.add("client");
    List<ServerFault> kinds = new ArrayList<>();
    for (ServerFault kind : ServerFault.all()) {
      if (without.contains(kind.text())) {
        tally.skipped(kind.text(), "switched off by --without");
      } else if (kind.needsNetwork() && !servers.hasNetwork()) {
        tally.skipped(kind.text(), "network namespaces are not allowed here");
      } else if (kind.needsClocks() && !servers.hasClocks()) {
        tally.skipped(kind.text(), "libfaketime is not installed");
      } else {
        kinds.add(kind);
      }
    }
    this.deck = new Deck<>(kinds, random);
  }

  /** Ends after the present fault. */
  public void end() {
    ended = true;
  }

  @Override
  public void run() {
    try {
      while (!ended) {
        one(deck.draw());
        pause(CALM);
        betweenFaults.run();
      }
    } catch (Exception e) {
      tally.wrong(Tally.Wrong.STUCK, "Cannot go on breaking servers: " + e);
    }
  }

  private void one(ServerFault kind) throws Exception {
    // A fault may make a server end long after it was over.
    servers.revive();
    tally.during(kind.text());
    try {
      make(kind);
      tally.faulted(kind.text());
    } catch (IOException e) {
      // The server has ended by itself in this very moment.
      tally.faulted(kind.text() + ", not possible");
      Log.line("not possible: " + e.getMessage());
    } finally {
      servers.heal();
      servers.revive();
    }
    recovery.await(kind.text(), servers::revive);
    tally.during("none");
  }

  private void make(ServerFault kind) throws Exception {
    String regionServer = any(Servers.REGION_SERVERS);
    switch (kind) {
      case KILL_REGION_SERVER -> kill(regionServer);
      case KILL_TWO_REGION_SERVERS -> {
        kill(regionServer);
        kill(any(without(Servers.REGION_SERVERS, regionServer)));
      }
      case KILL_TWO_HOLDERS -> killTwoHolders();
      case KILL_ACTIVE_MASTER -> kill(activeMaster());
      case KILL_ANY_MASTER -> kill(any(Servers.MASTERS));
      case KILL_DATA_NODE -> kill("datanode");
      case KILL_ZOOKEEPER -> kill("zookeeper");
      case PAUSE_REGION_SERVER_SHORT -> pause(regionServer, SHORT);
      case PAUSE_REGION_SERVER_LEASE -> pause(regionServer, BEYOND_LEASE);
      case PAUSE_REGION_SERVER_SESSION -> pause(regionServer, BEYOND_SESSION);
      case PAUSE_MASTER_SHORT -> pause(activeMaster(), SHORT);
      case PAUSE_MASTER_LEASE -> pause(activeMaster(), BEYOND_LEASE);
      case PAUSE_MASTER_SESSION -> pause(activeMaster(), BEYOND_SESSION);
      case PAUSE_DATA_NODE -> pause("datanode", BEYOND_LEASE);
      case PAUSE_NAME_NODE -> pause("namenode", BEYOND_LEASE);
      case PAUSE_ZOOKEEPER_SHORT -> pause("zookeeper", SHORT);
      case PAUSE_ZOOKEEPER_SESSION -> pause("zookeeper", BEYOND_SESSION);
      case LOSE_REGION_SERVER_MASTER -> lose(regionServer, activeMaster(), false);
      case LOSE_MASTER_ZOOKEEPER -> {
        cut(activeMaster(), "zookeeper", false);
        pause(BEYOND_SESSION);
      }
      case LOSE_REGION_SERVER_ZOOKEEPER -> lose(regionServer, "zookeeper", false);
      case LOSE_MASTER_AND_REGION_SERVER_ZOOKEEPER -> {
        cut(activeMaster(), "zookeeper", false);
        cut(regionServer, "zookeeper", false);
        pause(BEYOND_SESSION);
      }
      case LOSE_CLIENT_MASTER -> lose("client", activeMaster(), false);
      case LOSE_CLIENT_REGION_SERVER -> lose("client", regionServer, false);
      case LOSE_REGION_SERVER_DATA_NODE -> lose(regionServer, "datanode", false);
      case LOSE_ANY, LOSE_ONE_WAY -> {
        String one = any(everybody);
        lose(one, any(without(everybody, one)), kind == ServerFault.LOSE_ONE_WAY);
      }
      case STEP_REGION_SERVER_CLOCK -> step(regionServer);
      case ROLLING_RESTART_OTHER_BUILD -> rollingRestart();
      default -> throw new IllegalArgumentException("Cannot make " + kind);
    }
  }

  private void kill(String name) throws Exception {
    say("kill -9 " + name);
    servers.kill(name);
    pause(SHORT);
  }

  /** Filters are made to be kept by regions first, and trusted there, if the master has them. */
  private void killTwoHolders() throws Exception {
    IndexAdmin indexes = IndexAdmin.of(connection);
    if (indexes.holders().isMaster()) {
      say("keep filters by " + HOLDERS + " regions");
      indexes.keepFilters(HOLDERS, HOLDERS, Map.of());
      recovery.await("a change of holders", servers::revive);
    }
    List<String> holding = new ArrayList<>();
    try (RegionLocator holders = connection.getRegionLocator(HoldersTable.NAME)) {
      for (HRegionLocation holder : holders.getAllRegionLocations()) {
        String name = servers.nameOf(holder.getServerName());
        if (!holding.contains(name)) {
          holding.add(name);
        }
      }
    }
    if (holding.size() < 2 || indexes.holders().isMaster()) {
      throw new IOException("filters are kept by no two servers but by " + holding);
    }
    String one = any(holding);
    String other = any(without(holding, one));
    say("kill -9 " + one + " and " + other + ", which hold filters");
    servers.kill(one);
    servers.kill(other);
    pause(SHORT);
  }

  private void pause(String name, Duration time) throws Exception {
    say("pause " + name + " for " + time.toMillis() + " ms");
    servers.pause(name);
    pause(time);
  }

  private void lose(String one, String other, boolean oneWay) throws Exception {
    cut(one, other, oneWay);
    pause(random.nextBoolean() ? BEYOND_LEASE : BEYOND_SESSION);
  }

  private void cut(String one, String other, boolean oneWay) throws Exception {
    say("lose packets from " + one + " to " + other + (oneWay ? "" : " and back"));
    servers.cut(one, other);
    if (!oneWay) {
      servers.cut(other, one);
    }
  }

  /** The clock jumps, and jumps back when the fault is healed. */
  private void step(String name) throws Exception {
    int seconds = 1 + random.nextInt(LONGEST_STEP_SECONDS);
    if (random.nextBoolean()) {
      seconds = -seconds;
    }
    say("step the clock of " + name + " by " + seconds + " s");
    servers.clock(name, seconds);
    pause(BEYOND_LEASE);
  }

  private void rollingRestart() throws Exception {
    servers.changeBuild();
    List<String> all = new ArrayList<>(Servers.REGION_SERVERS);
    all.addAll(Servers.MASTERS);
    for (String name : all) {
      say("restart " + name + " with the other build");
      servers.restart(name);
      pause(SHORT);
    }
  }

  private static void say(String what) {
    Log.line("fault: " + what);
  }

  private String any(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }

  private static List<String> without(List<String> names, String one) {
    return names.stream().filter(name -> !name.equals(one)).toList();
  }

  /** By what a client is told; if nobody tells, one of the two. */
  private String activeMaster() {
    String other = any(Servers.MASTERS);
    try (Admin admin = connection.getAdmin()) {
      return servers.nameOf(admin.getMaster());
    } catch (IOException e) {
      return other;
    }
  }

  private static void pause(Duration time) throws InterruptedException {
    Thread.sleep(time.toMillis());
  }
}
