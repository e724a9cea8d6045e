/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.master.page.ClusterReader;
import io.hbaseindex.master.page.History;
import io.hbaseindex.master.page.IndexPage;
import io.hbaseindex.master.page.IndexPageServlet;
import io.hbaseindex.master.page.RouteExplainer;
import io.hbaseindex.master.page.model.HistorySample;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ScheduledChore;
import org.apache.hadoop.hbase.http.InfoServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;

/**
 * Shows the page in the web server of an active master, and keeps its history. A master without a
 * web server has none.
 */
final class MasterPage implements AutoCloseable {
  private final InfoServer web;
  private final ScheduledChore sampling;

  /**
   * Shows the page.
   *
   * @param counts counts how things stand
   */
  static MasterPage show(
      MasterServices master,
      ClusterReader cluster,
      RouteExplainer explainer,
      MasterAccess access,
      FilterDesk desk,
      Supplier<HistorySample> counts) {
    History history = new History(counts);
    IndexPage page =
        new IndexPage(
            cluster, explainer, history, access::requireVisitor, work -> desk.show(work::run));
    return new MasterPage(master, page, history::take);
  }

  private MasterPage(MasterServices master, IndexPage page, Runnable sample) {
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
    }
  }

  @Override
  public void close() {
    if (web != null) {
      sampling.cancel();
      IndexPageServlet.hide(web);
    }
  }
}
