/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.admin.doctor;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the servers of a cluster have of the product, and what is wrong with that.
 *
 * @param servers the active master, backup masters and region servers
 */
@InterfaceAudience.Public
public record Diagnosis(List<ServerHealth> servers) {

  /** Copies the list. */
  public Diagnosis {
    servers = List.copyOf(servers);
  }

  /** Whether nothing is known to be wrong. */
  public boolean isHealthy() {
    return servers.stream().allMatch(server -> server.fault().isEmpty());
  }

  /** The servers that a region with an index must not be opened by. */
  public List<ServerHealth> withoutJar() {
    return servers.stream().filter(ServerHealth::jarMissing).toList();
  }

  /** The same, with servers found at fault that run another version than most. */
  static Diagnosis comparing(List<ServerHealth> servers) {
    Map<String, Integer> counts = new TreeMap<>();
    servers.forEach(server -> server.version().ifPresent(v -> counts.merge(v, 1, Integer::sum)));
    if (counts.size() < 2) {
      return new Diagnosis(servers);
    }
    String most =
        counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return new Diagnosis(
        servers.stream()
            .map(
                server ->
                    server.version().filter(version -> !version.equals(most)).isPresent()
                        ? server.withFault(
                            "runs another version than most servers, %s; upgrade all to one"
                                .formatted(most))
                        : server)
            .toList());
  }
}
