/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import io.hbaseindex.common.holders.HoldersTable;
import io.hbaseindex.common.master.MasterConnection;
import io.hbaseindex.core.shard.HolderLayout;
import io.hbaseindex.master.page.model.HolderSight;
import io.hbaseindex.master.page.model.PageQuestion;
import io.hbaseindex.master.page.view.HoldersView;
import io.hbaseindex.protocol.IndexMasterProtos.IndexMasterService;
import io.hbaseindex.protocol.IndexMasterProtos.MasterStatus;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusRequest;
import io.hbaseindex.protocol.IndexMasterProtos.RoutingStatusResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ScheduledChore;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page of an active master whose filters are kept by holders. It asks each of them every few
 * seconds how its filters stand, whoever looks, and shows the last answers.
 */
@InterfaceAudience.Private
public final class HoldersPage implements IndexPageServlet.Answers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HoldersPage.class);
  private static final int EVERY_MILLIS = 5_000;

  private final MasterServices master;
  private final HolderLayout layout;
  private final InfoServer web;
  private final ScheduledChore asking;
  private final MasterConnection connection;
  private final NavigableMap<Integer, HolderSight> answers = new ConcurrentSkipListMap<>();

  private HoldersPage(MasterServices master, HolderLayout layout, LongSupplier nanoClock) {
    this.master = master;
    this.layout = layout;
    Configuration conf = new Configuration(master.getConfiguration());
    // Whatever clients are told to use, this is a plain connection.
    conf.unset(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL);
    this.connection =
        new MasterConnection(() -> ConnectionFactory.createAsyncConnection(conf), nanoClock);
    this.web = master instanceof HMaster real ? real.getInfoServer() : null;
    this.asking =
        new ScheduledChore("hbase-index-holders", master, EVERY_MILLIS) {
          @Override
          protected void chore() {
            for (int holder = 0; holder < layout.holders(); holder++) {
              ask(holder);
            }
          }
        };
  }

  /**
   * Shows the page, if the master has a web server.
   *
   * @param nanoClock a monotonic clock
   */
  public static HoldersPage show(
      MasterServices master, HolderLayout layout, LongSupplier nanoClock) {
    HoldersPage page = new HoldersPage(master, layout, nanoClock);
    if (page.web != null) {
      IndexPageServlet.show(page.web, page);
      master.getChoreService().scheduleChore(page.asking);
    }
    return page;
  }

  private void ask(int holder) {
    RoutingStatusRequest question = RoutingStatusRequest.newBuilder().setLimit(1).build();
    connection
        .call(
            made ->
                made.getTableBuilder(HoldersTable.NAME)
                    .setOperationTimeout(EVERY_MILLIS, TimeUnit.MILLISECONDS)
                    .build()
                    .<IndexMasterService.Stub, RoutingStatusResponse>coprocessorService(
                        IndexMasterService::newStub,
                        (IndexMasterService.Stub stub,
                            RpcController controller,
                            RpcCallback<RoutingStatusResponse> done) ->
                            stub.status(controller, question, done),
                        HoldersTable.rowOf(holder)))
        .whenComplete(
            (answer, error) -> {
              if (error == null) {
                answers.put(holder, sight(holder, answer.getMaster()));
              } else {
                // The page says so, for as long as it lasts.
                answers.remove(holder);
                LOG.debug("Holder {} does not say how its filters stand", holder, error);
              }
            });
  }

  private static HolderSight sight(int holder, MasterStatus status) {
    return new HolderSight(
        Integer.toString(holder),
        status.getServer(),
        status.getActiveSinceMs(),
        status.getTrusting(),
        TimeUnit.NANOSECONDS.toMillis(status.getLeaseNanos()),
        new HolderSight.Filters(
            status.getRegions(),
            status.getPreciseRegions(),
            status.getValues(),
            status.getFilterBytes(),
            status.getFilterByteLimit()));
  }

  @Override
  public String answer(PageQuestion question) {
    List<String> silent =
        IntStream.range(0, layout.holders())
            .filter(holder -> !answers.containsKey(holder))
            .mapToObj(Integer::toString)
            .toList();
    // Several holders may be in one region, which then answers for each of them alike.
    Map<String, HolderSight> regions = new LinkedHashMap<>();
    answers.values().forEach(sight -> regions.putIfAbsent(sight.server(), sight));
    return HoldersView.render(
        master.getServerName().toString(), layout.text(), List.copyOf(regions.values()), silent);
  }

  @Override
  public void close() {
    if (web != null) {
      asking.cancel();
      IndexPageServlet.hide(web);
    }
    connection.close();
  }
}
