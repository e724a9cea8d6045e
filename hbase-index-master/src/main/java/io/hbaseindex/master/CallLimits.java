/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.master;

import io.hbaseindex.core.definition.IndexSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * How many calls of each kind the master answers at the same time. They all come to the handlers
 * that also take the creation of tables and the like, so together the kinds must leave some of them
 * free; with less than four handlers that is not possible.
 *
 * @param pushes calls of region servers
 * @param waitingPushes calls of region servers that wait for their turn
 * @param routes questions of clients
 * @param status questions of administrators
 */
record CallLimits(int pushes, int waitingPushes, int routes, int status) {
  /** By default a quarter of the handlers for pushes, half as many wait, and half for routes. */
  static CallLimits of(Configuration conf) {
    // HBase's master takes the number of its handlers from the same setting as a region server.
    return of(
        conf,
        conf.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT,
            HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT));
  }

  /** The same of the handlers that a region server keeps for calls of high priority. */
  static CallLimits ofPriorityHandlers(Configuration conf) {
    return of(
        conf,
        conf.getInt(
            HConstants.REGION_SERVER_HIGH_PRIORITY_HANDLER_COUNT,
            HConstants.DEFAULT_REGION_SERVER_HIGH_PRIORITY_HANDLER_COUNT));
  }

  private static CallLimits of(Configuration conf, int handlers) {
    int pushes = conf.getInt(IndexSettings.MASTER_MAX_PUSHES, Math.max(1, handlers / 4));
    return new CallLimits(
        pushes,
        pushes / 2,
        conf.getInt(IndexSettings.MASTER_MAX_ROUTES, Math.max(1, handlers / 2)),
        Math.max(1, handlers / 8));
  }
}
