/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import io.hbaseindex.core.route.HoldingServers.ServerAnswer;
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
  public void excluded(RowRange range, String server) {
    add(range, new ServerAnswer(server, 1, 0, 0));
  }

  @Override
  public void positive(RowRange range, String server) {
    add(range, new ServerAnswer(server, 0, 1, 0));
  }

  @Override
  public void open(RowRange range, String server, OpenReason reason) {
    add(range, new ServerAnswer(server, 0, 0, 1));
  }

  public HoldingServers finish() {
    return new HoldingServers(
        servers.values().stream().toList(), unannounced + (gaps.rest().isPresent() ? 1 : 0));
  }

  private void add(RowRange range, ServerAnswer answer) {
    unannounced += gaps.advance(range).isPresent() ? 1 : 0;
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
