/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.connect;

import io.hbaseindex.client.routing.RoutingSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.yetus.audience.InterfaceAudience;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which cluster to talk to, and how patiently. */
@InterfaceAudience.Private
public final class ClusterOptions {
  private static final int MILLIS = 1_000;
  private static final int MAX_TIMEOUT_SECONDS = 86_400;
  private static final String[] SITE_FILES = {"core-site.xml", "hdfs-site.xml", "hbase-site.xml"};

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-z", "--zookeeper"},
      paramLabel = "HOST[:PORT][,HOST[:PORT]][/ZNODE]",
      description =
          "ZooKeeper of the cluster, such as zk1,zk2:2181/hbase; one port at the end is for all hosts.")
  private String zookeeper;

  @Option(
      names = "--config",
      paramLabel = "DIR|FILE",
      description =
          "Directory with hbase-site.xml, or such a file. Default: $$HBASE_CONF_DIR, else the class path.")
  private Path config;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description = "How long the cluster may take to answer a call. Default: ${DEFAULT-VALUE}.")
  private int timeoutSeconds;

  int timeoutSeconds() {
    if (timeoutSeconds < 1) {
      throw usage("--timeout was " + timeoutSeconds + "; give at least one second");
    }
    if (timeoutSeconds > MAX_TIMEOUT_SECONDS) {
      throw usage(
          "--timeout was %d; give at most %d seconds, which is a day"
              .formatted(timeoutSeconds, MAX_TIMEOUT_SECONDS));
    }
    return timeoutSeconds;
  }

  /** The client's configuration, made to fail in seconds rather than in the usual many minutes. */
  Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    configDirectory().ifPresent(path -> addFiles(conf, path));
    if (zookeeper != null) {
      addEnsemble(conf);
    }
    int millis = timeoutSeconds() * MILLIS;
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 4);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 100);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, millis);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, millis);
    conf.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, millis);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, Math.max(millis, 60 * MILLIS));
    // A command is a fresh process: its first route also pays for finding the master.
    conf.setIfUnset(RoutingSettings.TIMEOUT_MS, Integer.toString(millis));
    conf.setInt("zookeeper.recovery.retry", 2);
    conf.setInt("zookeeper.recovery.retry.intervalmill", 500);
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, Math.max(millis, 10 * MILLIS));
    return conf;
  }

  /** What is tried, for messages. */
  String describe(Configuration conf) {
    String from =
        zookeeper != null
            ? "--zookeeper"
            : configDirectory().map(path -> "configuration in " + path).orElse("class path");
    return "ZooKeeper %s port %s znode %s (from %s)"
        .formatted(
            conf.get(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST),
            conf.get(HConstants.ZOOKEEPER_CLIENT_PORT, "2181"),
            conf.get(HConstants.ZOOKEEPER_ZNODE_PARENT, HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT),
            from);
  }

  private Optional<Path> configDirectory() {
    if (config != null) {
      if (!Files.exists(config)) {
        throw usage("--config " + config + " does not exist; name a directory or a file");
      }
      return Optional.of(config);
    }
    String environment = System.getenv("HBASE_CONF_DIR");
    return Optional.ofNullable(environment).map(Path::of).filter(Files::isDirectory);
  }

  private void addFiles(Configuration conf, Path path) {
    if (!Files.isDirectory(path)) {
      conf.addResource(new org.apache.hadoop.fs.Path(path.toUri()));
      return;
    }
    if (config != null && !Files.exists(path.resolve("hbase-site.xml"))) {
      throw usage("--config " + path + " has no hbase-site.xml in it; name the right directory");
    }
    for (String file : SITE_FILES) {
      if (Files.exists(path.resolve(file))) {
        conf.addResource(new org.apache.hadoop.fs.Path(path.resolve(file).toUri()));
      }
    }
  }

  private void addEnsemble(Configuration conf) {
    Ensemble ensemble;
    try {
      ensemble = Ensemble.parse(zookeeper);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
    conf.set(HConstants.ZOOKEEPER_QUORUM, ensemble.quorum());
    ensemble.port().ifPresent(port -> conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, port));
    ensemble.znode().ifPresent(znode -> conf.set(HConstants.ZOOKEEPER_ZNODE_PARENT, znode));
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
