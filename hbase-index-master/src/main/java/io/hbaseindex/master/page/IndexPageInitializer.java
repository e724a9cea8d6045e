/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master.page;

import io.hbaseindex.master.page.view.PageView;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Adds the page to a master's web server, named in {@code hbase.http.filter.initializers}. HBase
 * takes servlets only while it builds its web server, which is long before a master becomes active
 * and loads its coprocessors; initializers are the one place where others may add some.
 *
 * <p>The page is for administrators, where HBase's web UI knows who asks: it tells of row keys in
 * all tables. Web servers of other kinds stay as they are.
 */
@InterfaceAudience.LimitedPrivate("Configuration")
public final class IndexPageInitializer extends FilterInitializer {
  private static final String MASTER = "master";

  @Override
  public void initFilter(FilterContainer container, Configuration conf) {
    if (container instanceof HttpServer server
        && MASTER.equals(server.getWebAppContext().getDisplayName())) {
      server.addPrivilegedServlet("hbase-index", PageView.PATH + "/*", IndexPageServlet.class);
    }
  }
}
