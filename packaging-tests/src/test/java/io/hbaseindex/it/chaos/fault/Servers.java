/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.fault;

import io.hbaseindex.it.chaos.load.Log;
import io.hbaseindex.it.packaging.ProcessCluster;
import io.hbaseindex.it.packaging.RepositoryRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;

/** The servers of a cluster of processes, the wires between them and their clocks. */
public final class Servers implements AutoCloseable {
  static final List<String> REGION_SERVERS =
      List.of("regionserver-1", "regionserver-2", "regionserver-3");
  static final List<String> MASTERS = List.of("master-1", "master-2");
  static final List<String> ALL =
      List.of(
          "zookeeper",
          "namenode",
          "datanode",
          "master-1",
          "master-2",
          "regionserver-1",
          "regionserver-2",
          "regionserver-3");

  private static final long SCRIPT_LIMIT_SECONDS = 60;

  private final ProcessCluster cluster;
  private final Optional<Path> network;
  private final boolean clocks;
  private final Set<String> paused = new HashSet<>();
  private final Set<String> wrongClocks = new HashSet<>();
  private final List<Path> jars;
  private int jar;

  private Servers(ProcessCluster cluster, Optional<Path> network, boolean clocks, List<Path> jars) {
    this.cluster = cluster;
    this.network = network;
    this.clocks = clocks;
    this.jars = jars;
  }

  /**
   * Starts them all.
   *
   * @param network where bin/namespaces keeps its own; empty if all share one network
   * @param faketime the library that steps clocks; empty if there is none
   * @param jars builds of the server jar; servers start with the first
   */
  public static Servers start(
      Path directory, Optional<Path> network, Optional<String> faketime, List<Path> jars)
      throws Exception {
    List<String> options = new ArrayList<>(List.of("--jar", jars.get(0).toString()));
    if (network.isPresent()) {
      options.addAll(List.of("--network", network.get().toString()));
    }
    if (faketime.isPresent()) {
      options.addAll(List.of("--faketime", faketime.get()));
    }
    ProcessCluster cluster = ProcessCluster.start(directory, options.toArray(String[]::new));
    return new Servers(cluster, network, faketime.isPresent(), jars);
  }

  public Configuration configuration() {
    return cluster.configuration();
  }

  String nameOf(ServerName server) throws IOException {
    return cluster.nameOf(server);
  }

  boolean hasNetwork() {
    return network.isPresent();
  }

  boolean hasClocks() {
    return clocks;
  }

  void kill(String name) throws Exception {
    cluster.script("kill", name);
  }

  void pause(String name) throws Exception {
    paused.add(name);
    cluster.script("pause", name);
  }

  void clock(String name, int seconds) throws Exception {
    wrongClocks.add(name);
    cluster.script("clock", name, "" + seconds);
  }

  /** Loses what one sends to the other. */
  void cut(String from, String to) throws Exception {
    network("cut", from, to);
  }

  /** Ends a server as an operator does, and starts it with the other build. */
  void restart(String name) throws Exception {
    cluster.script("end", name);
    start(name);
  }

  /** From now on servers start with the next build of the jar. */
  void changeBuild() {
    jar = (jar + 1) % jars.size();
  }

  private void start(String name) throws Exception {
    cluster.script("--jar", jars.get(jar).toString(), "start", name);
  }

  /** Undoes everything that can be undone without starting a server. */
  void heal() throws Exception {
    if (hasNetwork()) {
      network("mend");
    }
    for (String name : Set.copyOf(paused)) {
      if (!down().contains(name)) {
        cluster.script("resume", name);
      }
      paused.remove(name);
    }
    for (String name : Set.copyOf(wrongClocks)) {
      cluster.script("clock", name, "0");
      wrongClocks.remove(name);
    }
  }

  /** Starts every server that has ended, those first that others need. */
  public void revive() throws Exception {
    Set<String> down = down();
    for (String name : ALL) {
      if (down.contains(name)) {
        Log.line("starting " + name);
        start(name);
      }
    }
  }

  private Set<String> down() throws Exception {
    Set<String> down = new HashSet<>();
    for (String line : cluster.status().split("\n")) {
      String[] words = line.split(" +");
      if (words.length > 1 && words[1].equals("down")) {
        down.add(words[0]);
      }
    }
    return down;
  }

  private void network(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(RepositoryRoot.path().resolve("packaging-tests/bin/namespaces").toString());
    command.addAll(List.of("--dir", network.orElseThrow().toString()));
    command.addAll(List.of(arguments));
    Path said = Files.createTempFile("network", ".out");
    Process script =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    boolean ended = script.waitFor(SCRIPT_LIMIT_SECONDS, TimeUnit.SECONDS);
    String text = Files.readString(said);
    Files.delete(said);
    if (!ended || script.exitValue() != 0) {
      throw new IOException("Cannot change the network by " + command + ": " + text);
    }
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
