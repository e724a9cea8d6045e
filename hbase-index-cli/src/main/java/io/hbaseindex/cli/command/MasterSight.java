/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.command;

import io.hbaseindex.client.admin.IndexAdmin;
import io.hbaseindex.client.admin.filters.RegionFilterState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;

/** How the master sees the regions of one table: precise, or open and why. */
@InterfaceAudience.Private
public final class MasterSight {
  private final Map<String, String> byRegion = new HashMap<>();
  private int precise;

  private MasterSight() {}

  /** What the master says; empty if it does not, for whatever reason. */
  static Optional<MasterSight> of(Connection connection, TableName table) throws IOException {
    MasterSight sight = new MasterSight();
    try {
      for (RegionFilterState region : IndexAdmin.of(connection).routing(table).regions()) {
        sight.precise += region.isPrecise() ? 1 : 0;
        sight.byRegion.put(
            region.encodedName(),
            region.openReason().map(reason -> "open: " + words(reason)).orElse("precise"));
      }
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      // A master without the endpoint, or that does not let this user know, is no error here.
      return Optional.empty();
    }
    return Optional.of(sight);
  }

  /** How the region is seen. */
  String of(String encodedName) {
    return byRegion.getOrDefault(encodedName, "open: absent");
  }

  /** How many regions are precise. */
  int precise() {
    return precise;
  }

  private static String words(String reason) {
    return reason.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
