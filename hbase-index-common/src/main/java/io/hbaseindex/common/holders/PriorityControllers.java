/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.holders;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.DelegatingHBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.RpcControllerFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Sends all calls of a connection to the handlers that a region server keeps for important calls.
 *
 * <p>A write holds an ordinary handler of its server while it waits for a push to another server.
 * If the push needed an ordinary handler there, two servers full of such writes would wait for each
 * other until the lease ends.
 */
@InterfaceAudience.Private
public final class PriorityControllers extends RpcControllerFactory {
  /** Made by HBase, by the name of the class. */
  public PriorityControllers(Configuration conf) {
    super(conf);
  }

  /** The same configuration, for a connection whose calls go to those handlers. */
  public static Configuration in(Configuration conf) {
    Configuration changed = new Configuration(conf);
    changed.set(CUSTOM_CONTROLLER_CONF_KEY, PriorityControllers.class.getName());
    return changed;
  }

  @Override
  public HBaseRpcController newController() {
    return new Prior(super.newController());
  }

  @Override
  public HBaseRpcController newController(CellScanner cells) {
    return new Prior(super.newController(cells));
  }

  @Override
  public HBaseRpcController newController(RegionInfo region, CellScanner cells) {
    return new Prior(super.newController(region, cells));
  }

  @Override
  public HBaseRpcController newController(List<CellScannable> cells) {
    return new Prior(super.newController(cells));
  }

  @Override
  public HBaseRpcController newController(RegionInfo region, List<CellScannable> cells) {
    return new Prior(super.newController(region, cells));
  }

  private static final class Prior extends DelegatingHBaseRpcController {
    Prior(HBaseRpcController controller) {
      super(controller);
      controller.setPriority(HConstants.HIGH_QOS);
    }

    @Override
    public void setPriority(int priority) {
      super.setPriority(Math.max(priority, HConstants.HIGH_QOS));
    }

    @Override
    public void setPriority(TableName table) {
      super.setPriority(HConstants.HIGH_QOS);
    }
  }
}
