/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.packaging;

import io.hbaseindex.client.routing.RoutingSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A cluster of separate processes, run by {@code packaging-tests/bin/cluster}. The script watches
 * this JVM: however it ends, the processes end too.
 */
public final class ProcessCluster implements AutoCloseable {
  /** Far above any good start, on a busy machine too. */
  private static final Duration HANG_LIMIT = Duration.ofMinutes(6);

  private final Path directory;

  private ProcessCluster(Path directory) {
    this.directory = directory;
  }

  /**
   * Starts all servers and waits until they serve.
   *
   * @param options further options of the script
   */
  public static ProcessCluster start(Path directory, String... options) throws Exception {
    ProcessCluster cluster = new ProcessCluster(directory.toRealPath());
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--watch", "" + ProcessHandle.current().pid(), "start"));
    cluster.script(arguments.toArray(String[]::new));
    return cluster;
  }

  /** What a client connects with; by itself it routes nothing, so that tests can compare. */
  public Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    conf.addResource(
        new org.apache.hadoop.fs.Path(
            directory.resolve("conf/client/hbase-site.xml").toUri().toString()));
    conf.unset(ClusterConnection.HBASE_CLIENT_CONNECTION_IMPL);
    conf.unset(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL);
    // A busy machine may be slow to answer.
    conf.setLong(RoutingSettings.TIMEOUT_MS, 5_000);
    return conf;
  }

  /** What would be the key of another cluster, of which this cluster's ZooKeeper knows nothing. */
  String clusterKeyOfNobody() {
    Configuration conf = configuration();
    return "%s:%s:/standby"
        .formatted(
            conf.get(HConstants.ZOOKEEPER_QUORUM), conf.get(HConstants.ZOOKEEPER_CLIENT_PORT));
  }

  /** The directory with the settings of applications. */
  Path clientDirectory() {
    return directory.resolve("conf/client");
  }

  /**
   * A directory with the same settings and more patience: what a scan has not got of a server in
   * time it reads once more, so that it counts more than the pages say.
   */
  Path patientClientDirectory() throws IOException {
    Path patient = Files.createDirectories(directory.resolve("conf/patient-client"));
    try (Stream<Path> files = Files.list(clientDirectory())) {
      for (Path file : files.toList()) {
        String text =
            Files.readString(file)
                .replace(
                    "</configuration>",
                    "<property><name>%s</name><value>20000</value></property></configuration>"
                        .formatted(RoutingSettings.TIMEOUT_MS));
        Files.writeString(patient.resolve(file.getFileName()), text);
      }
    }
    return patient;
  }

  /** The directory with the settings of Hadoop. */
  Path hadoopDirectory() {
    return directory.resolve("conf/common");
  }

  /** The name the script knows a server by. */
  public String nameOf(ServerName server) throws IOException {
    Properties ports = new Properties();
    try (var reader = Files.newBufferedReader(directory.resolve("ports"))) {
      ports.load(reader);
    }
    return ports.stringPropertyNames().stream()
        .filter(name -> ports.getProperty(name).equals("" + server.getPort()))
        .findFirst()
        .orElseThrow(() -> new IOException("Cannot find " + server + " among " + ports));
  }

  /** kill -9. */
  void kill(ServerName server) throws Exception {
    script("kill", nameOf(server));
  }

  /** What the script says of the servers. */
  public String status() throws Exception {
    return run("status");
  }

  /** Processes of this cluster that run, whoever started them. */
  List<ProcessHandle> processes() {
    String marker = "hbaseindex.cluster=" + directory + ":";
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(marker))
        .toList();
  }

  void stop() throws Exception {
    script("stop");
  }

  @Override
  public void close() throws Exception {
    script("stop", "--now");
  }

  /** Runs a command of the script; fails if the script does. */
  public void script(String... arguments) throws Exception {
    String said = run(arguments);
    if (!said.endsWith("exit code 0")) {
      throw new IOException("Cannot " + List.of(arguments) + " the cluster: " + said);
    }
  }

  private String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(RepositoryRoot.path().resolve("packaging-tests/bin/cluster").toString());
    command.add("--dir");
    command.add(directory.toString());
    command.addAll(List.of(arguments));
    // A file, not a pipe: the servers would keep a pipe open.
    Path output = Files.createTempFile(directory.getParent(), "script", ".out");
    Process script =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!script.waitFor(HANG_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      script.destroy();
      throw new IOException("Cannot wait longer for " + command + Files.readString(output));
    }
    String said = Files.readString(output);
    Files.delete(output);
    return said + "exit code " + script.exitValue();
  }
}
