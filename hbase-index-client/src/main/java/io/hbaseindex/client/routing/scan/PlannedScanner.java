/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import io.hbaseindex.client.routing.RoutePlan;
import java.io.IOException;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.yetus.audience.InterfaceAudience;

/** A scanner that can tell the route by which it reads. */
@InterfaceAudience.Private
public interface PlannedScanner extends ResultScanner {
  /** The route of this very scan; asked for now if no result has been asked for yet. */
  RoutePlan plan() throws IOException;
}
