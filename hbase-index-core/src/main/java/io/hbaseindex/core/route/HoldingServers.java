/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The region servers that may hold a row that satisfies a predicate. The filter of a server is the
 * union of those of its regions.
 *
 * @param servers the servers that have announced regions of the table, in the order of their names
 * @param unannounced how many ranges of keys nobody has announced; any server may hold those
 */
@InterfaceAudience.Public
public record HoldingServers(List<ServerAnswer> servers, int unannounced) {
  /**
   * What the filters of one server's regions say.
   *
   * @param negative regions proven not to hold such a row
   * @param positive regions whose filter answered that they may
   * @param open regions whose filter could not be asked
   */
  public record ServerAnswer(String server, int negative, int positive, int open) {
    /** Whether one of the regions may hold such a row. */
    public boolean mayHold() {
      return positive + open > 0;
    }
  }

  /** Copies the list. */
  public HoldingServers {
    servers = List.copyOf(servers);
  }

  /** The answer for a table that nothing is known of. */
  public static HoldingServers unknownTable() {
    return new HoldingServers(List.of(), 1);
  }

  /**
   * Whether a server may hold such a row: one of its regions may, or nobody has announced some of
   * the keys. A server that has announced nothing holds nothing but what is unannounced.
   */
  public boolean mayHold(String server) {
    return unannounced > 0
        || servers.stream().anyMatch(one -> one.server().equals(server) && one.mayHold());
  }

  /** The servers that may hold such a row, as far as they have announced regions. */
  public List<String> positive() {
    return named(true);
  }

  /** The servers all of whose regions are proven not to hold such a row. */
  public List<String> negative() {
    return unannounced > 0 ? List.of() : named(false);
  }

  private List<String> named(boolean may) {
    return servers.stream()
        .filter(server -> (unannounced > 0 || server.mayHold()) == may)
        .map(ServerAnswer::server)
        .toList();
  }
}
