/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos;

import io.hbaseindex.it.chaos.ask.Lookups;
import io.hbaseindex.it.chaos.ask.TargetTable;
import io.hbaseindex.it.chaos.fault.Recovery;
import io.hbaseindex.it.chaos.fault.RepackedJar;
import io.hbaseindex.it.chaos.fault.ServerFaults;
import io.hbaseindex.it.chaos.fault.Servers;
import io.hbaseindex.it.chaos.fault.TableFaults;
import io.hbaseindex.it.chaos.load.Client;
import io.hbaseindex.it.chaos.load.Gate;
import io.hbaseindex.it.chaos.load.HistoryFile;
import io.hbaseindex.it.chaos.load.Judge;
import io.hbaseindex.it.chaos.load.KindsWriter;
import io.hbaseindex.it.chaos.load.LinearizabilityCheck;
import io.hbaseindex.it.chaos.load.Log;
import io.hbaseindex.it.chaos.load.Operation;
import io.hbaseindex.it.chaos.load.Pace;
import io.hbaseindex.it.chaos.load.RegisterReader;
import io.hbaseindex.it.chaos.load.RegisterRows;
import io.hbaseindex.it.chaos.load.RegisterWriter;
import io.hbaseindex.it.chaos.load.Tally;
import io.hbaseindex.it.packaging.RepositoryRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** One run: a cluster, clients that write and read, faults, and the judgement of all that. */
final class ChaosRun {
  private static final int REGISTER_WRITERS = 4;
  private static final int KINDS_WRITERS = 4;
  private static final int READERS = 4;

  /** How long clients go on between two looks at the table at rest. */
  private static final Duration BETWEEN_RESTS = Duration.ofMinutes(4);

  /** What servers log when they have waited for the master in vain. */
  private static final List<String> GIVEN_UP =
      List.of("was not settled within twice the lease", "closes while its filter may still be");

  private static final int VALUES_AT_REST = 60;
  private static final int VALUES_AT_THE_END = 1_000;

  private final ChaosOptions options;
  private final Tally tally = new Tally();
  private final Gate gate = new Gate();
  private final RegisterRows registers = new RegisterRows();
  private final Path historyFile;
  private final SplittableRandom random;
  private final List<Client> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile long nextRest = System.nanoTime() + BETWEEN_RESTS.toNanos();

  ChaosRun(ChaosOptions options) {
    this.options = options;
    this.historyFile = options.directory().resolve("history.jsonl");
    this.random = new SplittableRandom(options.seed());
  }

  /** Whether nothing was wrong. */
  boolean run() throws Exception {
    Log.line("chaos: " + options);
    Path state = Files.createDirectories(options.directory().resolve("cluster"));
    try (Servers servers = Servers.start(state, options.network(), options.faketime(), builds());
        Connection connection = ConnectionFactory.createConnection(patient(servers));
        Lookups lookups = new Lookups(patient(servers), options.staleness())) {
      TargetTable.create(connection);
      return underWay(servers, connection, lookups);
    }
  }

  /** Operations that HBase cannot do fail within half a minute instead of 20. */
  private static Configuration patient(Servers servers) {
    Configuration conf = servers.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, 40_000);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, 40_000);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 40_000);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, 10_000);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 40);
    conf.setInt("hbase.ipc.client.socket.timeout.connect", 3_000);
    return conf;
  }

  private List<Path> builds() throws IOException {
    Path target = RepositoryRoot.path().resolve("hbase-index-server/target");
    Path packaged;
    try (var files = Files.newDirectoryStream(target, "hbase-index-server-*.jar")) {
      packaged = files.iterator().next();
    }
    return List.of(
        Files.copy(packaged, options.directory().resolve("hbase-index-server-a.jar")),
        RepackedJar.of(packaged, options.directory().resolve("hbase-index-server-b.jar"), "b"));
  }

  private boolean underWay(Servers servers, Connection connection, Lookups lookups)
      throws Exception {
    Recovery recovery = new Recovery(connection, gate, tally);
    recovery.await("start", () -> {});
    Agreement agreement = new Agreement(lookups, registers, tally);
    ServerFaults serverFaults =
        new ServerFaults(
            servers,
            connection,
            recovery,
            tally,
            random.split(),
            options.without(),
            () -> {
              gate.atRest(lookups::renew);
              restIfDue(agreement, recovery, servers);
            });
    TableFaults tableFaults =
        new TableFaults(connection, gate, tally, random.split(), options.without());
    long began = System.nanoTime();
    try (HistoryFile history = new HistoryFile(historyFile)) {
      startClients(connection, lookups, history);
      Thread server = start("server-faults", serverFaults);
      Thread table = start("table-faults", tableFaults);
      Thread.sleep((long) (options.minutes() * Duration.ofMinutes(1).toMillis()));
      serverFaults.end();
      tableFaults.end();
      server.join();
      table.join();
      clients.forEach(Client::end);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    recovery.await("everything", servers::revive);
    look(agreement, VALUES_AT_THE_END);
    waitsGivenUp();
    return new Report(
            options, tally, Duration.ofNanos(System.nanoTime() - began), registersChecked())
        .write(agreement.figures());
  }

  private void startClients(Connection connection, Lookups lookups, HistoryFile history)
      throws IOException {
    Client.Shared shared =
        new Client.Shared(
            lookups, new Judge(lookups, tally), tally, history, new Pace(options.rate()), gate);
    long now = System.currentTimeMillis();
    for (int i = 0; i < REGISTER_WRITERS; i++) {
      clients.add(
          new RegisterWriter(
              "w" + i,
              shared,
              random.split(),
              connection.getTable(TargetTable.NAME),
              registers,
              now));
    }
    for (int i = 0; i < KINDS_WRITERS; i++) {
      clients.add(
          new KindsWriter(
              "k" + i, shared, random.split(), connection.getTable(TargetTable.NAME), now));
    }
    for (int i = 0; i < READERS; i++) {
      clients.add(new RegisterReader("r" + i, shared, random.split(), registers));
    }
    for (Client client : clients) {
      threads.add(start(client.getClass().getSimpleName(), client));
    }
  }

  private static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Looks at the table at rest if that is due; called while nothing is broken. */
  private void restIfDue(Agreement agreement, Recovery recovery, Servers servers) throws Exception {
    if (System.nanoTime() < nextRest) {
      return;
    }
    gate.atRest(
        () -> {
          recovery.await("rest", servers::revive);
          look(agreement, VALUES_AT_REST);
        });
    nextRest = System.nanoTime() + BETWEEN_RESTS.toNanos();
  }

  /** Nothing is broken and nobody writes: a read that fails now is a fault too. */
  private void look(Agreement agreement, int values) throws InterruptedException {
    try {
      agreement.check(values, options.seed());
    } catch (IOException e) {
      tally.wrong(Tally.Wrong.STUCK, "at rest: " + e);
    }
  }

  /** A write or a close that gave up waiting for the master breaks the promise, and says so. */
  private void waitsGivenUp() throws IOException {
    try (var logs =
        Files.newDirectoryStream(
            options.directory().resolve("cluster/logs"), "regionserver-*.log")) {
      for (Path log : logs) {
        try (var lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
          lines
              .filter(line -> GIVEN_UP.stream().anyMatch(line::contains))
              .forEach(line -> tally.wrong(Tally.Wrong.UNCLEAN, line));
        }
      }
    }
  }

  /** Checks the history of each register. */
  private int registersChecked() throws IOException {
    Map<String, List<Operation>> keys = HistoryFile.registers(historyFile);
    keys.forEach(
        (key, operations) -> {
          if (!LinearizabilityCheck.holds(operations)) {
            tally.wrong(
                Tally.Wrong.MISSED,
                "the history of row %s has no order: %s".formatted(key, operations));
          }
        });
    return keys.size();
  }
}
