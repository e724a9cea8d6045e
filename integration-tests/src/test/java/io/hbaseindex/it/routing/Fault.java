/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.routing;

/** What happens to a cluster while rows are written and looked for. */
public enum Fault {
  SPLIT,
  MERGE,
  MOVE,
  SERVER_ABORT,
  MASTER_ABORT,
  ENDPOINT_HANG
}
