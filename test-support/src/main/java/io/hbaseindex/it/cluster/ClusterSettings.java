/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;

/**
 * What a mini cluster is made of: its size, the coprocessors every server loads, and configuration.
 *
 * <p>Region observers are deliberately absent: tables name their own in their descriptor, as they
 * do in production.
 */
public final class ClusterSettings {

  /** Values that make a cluster on two cores react in milliseconds instead of seconds. */
  private static final Map<String, String> FAST =
      Map.ofEntries(
          Map.entry("hbase.master.info.port", "-1"),
          Map.entry("hbase.regionserver.info.port", "-1"),
          Map.entry("hbase.regionserver.handler.count", "12"),
          Map.entry("hbase.master.wait.on.regionservers.timeout", "200"),
          Map.entry("hbase.regionserver.msginterval", "200"),
          // The client polls procedures at multiples of its pause, which grow up to a hundredfold.
          Map.entry("hbase.client.pause", "10"),
          // The master gathers what it has to say to a server for 150 ms, for every step of a
          // procedure that opens or closes a region.
          Map.entry("hbase.procedure.remote.dispatcher.delay.msec", "5"),
          Map.entry("hbase.client.retries.number", "60"),
          Map.entry("hbase.client.operation.timeout", "60000"),
          Map.entry("hbase.server.thread.wakefrequency", "500"),
          Map.entry("hbase.regionserver.hlog.tolerable.lowreplication", "1"),
          // Janitor and compacted-file cleaner decide when a merged region may merge again.
          Map.entry("hbase.catalogjanitor.interval", "1000"),
          Map.entry("hbase.hfile.compaction.discharger.interval", "1000"),
          // A region that is moved would first be opened at its target once more, just to read.
          Map.entry("hbase.master.warmup.before.move", "false"),
          // HBase ends the process this long after an abort, also where the server has long gone.
          Map.entry("hbase.regionserver.abort.timeout", "86400000"),
          // Balancing, periodic major compactions and splits by size would blur what a test does.
          Map.entry("hbase.balancer.period", "3600000"),
          Map.entry("hbase.hregion.majorcompaction", "0"),
          Map.entry("hbase.hregion.max.filesize", "10737418240"),
          Map.entry("hbase.unsafe.regionserver.hostname.disable.master.reversedns", "true"),
          Map.entry("dfs.replication", "1"),
          Map.entry("dfs.namenode.fs-limits.min-block-size", "0"));

  private final int regionServers;
  private final int masters;
  private final List<Class<? extends MasterCoprocessor>> masterCoprocessors;
  private final Map<String, String> overrides;

  private ClusterSettings(
      int regionServers,
      int masters,
      List<Class<? extends MasterCoprocessor>> masterCoprocessors,
      Map<String, String> overrides) {
    this.regionServers = regionServers;
    this.masters = masters;
    this.masterCoprocessors = List.copyOf(masterCoprocessors);
    this.overrides = Map.copyOf(overrides);
  }

  /** Three region servers, one master, no coprocessors. */
  public static ClusterSettings threeServers() {
    return new ClusterSettings(3, 1, List.of(), Map.of());
  }

  /** The same cluster with {@code count} region servers. */
  public ClusterSettings withRegionServers(int count) {
    return new ClusterSettings(count, masters, masterCoprocessors, overrides);
  }

  /** The same cluster with {@code count} masters, of which one is active. */
  public ClusterSettings withMasters(int count) {
    return new ClusterSettings(regionServers, count, masterCoprocessors, overrides);
  }

  /** The same cluster whose masters also load {@code coprocessor}. */
  public ClusterSettings withMasterCoprocessor(Class<? extends MasterCoprocessor> coprocessor) {
    List<Class<? extends MasterCoprocessor>> more = new ArrayList<>(masterCoprocessors);
    more.add(coprocessor);
    return new ClusterSettings(regionServers, masters, more, overrides);
  }

  /** The same cluster with one more configuration value. */
  public ClusterSettings with(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(overrides);
    more.put(key, value);
    return new ClusterSettings(regionServers, masters, masterCoprocessors, more);
  }

  int regionServers() {
    return regionServers;
  }

  int masters() {
    return masters;
  }

  Configuration toConfiguration() {
    Configuration conf = HBaseConfiguration.create();
    FAST.forEach(conf::set);
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", regionServers);
    if (!masterCoprocessors.isEmpty()) {
      conf.set(
          CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY,
          masterCoprocessors.stream().map(Class::getName).collect(Collectors.joining(",")));
    }
    overrides.forEach(conf::set);
    return conf;
  }
}
