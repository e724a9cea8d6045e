/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.route.HoldingServers.ServerAnswer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/** Counts the answers of regions by server. */
@InterfaceAudience.Private
public final class ServerCollector implements RouteSink {
  private final Map<String, ServerAnswer> servers = new TreeMap<>();
  private final KeyGaps gaps = new KeyGaps();
  private int unannounced;

  @Override
  public void excluded(RowRange keys, List<String> servers) {
    advance(keys);
    servers.forEach(server -> add(new ServerAnswer(server, 1, 0, 0)));
  }

  @Override
  public void candidate(RowRange range, String server, OpenReason open) {
    advance(range);
    add(new ServerAnswer(server, 0, open == null ? 1 : 0, open == null ? 0 : 1));
  }

  public HoldingServers finish() {
    return new HoldingServers(
        servers.values().stream().toList(), unannounced + (gaps.rest().isPresent() ? 1 : 0));
  }

  private void advance(RowRange range) {
    unannounced += gaps.advance(range).isPresent() ? 1 : 0;
  }

  private void add(ServerAnswer answer) {
    servers.merge(answer.server(), answer, ServerCollector::sum);
  }

  private static ServerAnswer sum(ServerAnswer one, ServerAnswer other) {
    return new ServerAnswer(
        one.server(),
        one.negative() + other.negative(),
        one.positive() + other.positive(),
        one.open() + other.open());
  }
}
