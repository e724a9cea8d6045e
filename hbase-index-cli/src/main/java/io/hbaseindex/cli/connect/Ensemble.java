/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.connect;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A ZooKeeper ensemble as people write it: {@code zk1,zk2:2181/hbase}, with a port at the end that
 * is for all hosts; {@code zk1:2181,zk2:2182/hbase}, each with its own; or HBase's cluster key,
 * {@code zk1,zk2:2181:/hbase}.
 *
 * @param quorum the hosts, with their ports if each has its own
 * @param port the port of all hosts that name none
 * @param znode where HBase's nodes are
 */
record Ensemble(String quorum, OptionalInt port, Optional<String> znode) {
  private static final Pattern FORM = Pattern.compile("([^/\\s]+?):?(/[^\\s]*)?");
  private static final Pattern HOST = Pattern.compile("([^:/,\\s]+)(?::(\\d{1,5}))?");
  private static final int MAX_PORT = 65_535;

  /**
   * Reads an ensemble.
   *
   * @throws IllegalArgumentException if it is none; the message says what to write
   */
  static Ensemble parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw unreadable(text);
    }
    List<String> hosts = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (String member : form.group(1).split(",", -1)) {
      Matcher host = HOST.matcher(member);
      if (!host.matches()) {
        throw unreadable(text);
      }
      hosts.add(host.group(1));
      ports.add(host.group(2) == null ? null : requirePort(Integer.parseInt(host.group(2))));
    }
    Integer last = ports.get(ports.size() - 1);
    boolean oneForAll = ports.subList(0, ports.size() - 1).stream().allMatch(p -> p == null);
    return new Ensemble(
        oneForAll ? String.join(",", hosts) : form.group(1),
        oneForAll && last != null ? OptionalInt.of(last) : OptionalInt.empty(),
        Optional.ofNullable(form.group(2)));
  }

  private static int requirePort(int port) {
    if (port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "the port of --zookeeper was " + port + "; ports are 1 to " + MAX_PORT);
    }
    return port;
  }

  private static IllegalArgumentException unreadable(String text) {
    return new IllegalArgumentException(
        "--zookeeper was \"%s\"; write host[,host][:port][/znode], such as zk1,zk2:2181/hbase"
            .formatted(text));
  }
}
