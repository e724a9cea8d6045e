/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.core.registry.FilterRegistry;
import io.hbaseindex.master.page.model.HistorySample;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ScheduledChore;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Shows the page in the web server of an active master that holds filters, and keeps its history. A
 * master without a web server has none.
 */
@InterfaceAudience.Private
public final class MasterPage implements AutoCloseable {
  private final InfoServer web;
  private final ScheduledChore sampling;
  private final BuildWatch builds;

  /**
   * Shows the page.
   *
   * @param cellsMayHide whether the cluster may hide newest cells from users
   * @param counts counts how things stand
   * @param nanoClock a monotonic clock
   */
  public static MasterPage show(
      MasterServices master,
      FilterRegistry registry,
      boolean cellsMayHide,
      IndexPage.Readers readers,
      IndexPage.Gate gate,
      Supplier<HistorySample> counts,
      LongSupplier nanoClock) {
    History history = new History(counts);
    BuildWatch builds =
        new BuildWatch(master, most -> ClusterReader.unfinished(master, registry, most), nanoClock);
    IndexPage page =
        new IndexPage(
            new ClusterReader(master, registry, builds::of),
            new RouteExplainer(registry, cellsMayHide),
            history,
            readers,
            gate);
    return new MasterPage(master, page, history::take, builds);
  }

  private MasterPage(MasterServices master, IndexPage page, Runnable sample, BuildWatch builds) {
    this.builds = builds;
    sampling =
        new ScheduledChore("hbase-index-history", master, History.EVERY_MILLIS) {
          @Override
          protected void chore() {
            sample.run();
          }
        };
    web = master instanceof HMaster real ? real.getInfoServer() : null;
    if (web != null) {
      IndexPageServlet.show(web, page);
      master.getChoreService().scheduleChore(sampling);
      master.getChoreService().scheduleChore(builds.chore());
    }
  }

  @Override
  public void close() {
    if (web != null) {
      sampling.cancel();
      IndexPageServlet.hide(web);
    }
    builds.close();
  }
}
