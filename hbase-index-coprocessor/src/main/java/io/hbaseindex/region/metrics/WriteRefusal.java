/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.metrics;

import org.apache.yetus.audience.InterfaceAudience;

/** Why a mutation was refused. */
@InterfaceAudience.Private
public enum WriteRefusal {
  /** The mutation names the hidden family. */
  HIDDEN_FAMILY("hiddenFamily"),
  SKIP_WAL("skipWal"),
  CELL_TTL("cellTtl"),
  /** Row key and value make an index row key longer than HBase allows. */
  ROW_KEY_TOO_LONG("rowKeyTooLong"),
  /** Old versions that may show again call for more postings of the row than an index keeps. */
  TOO_MANY_POSTINGS("tooManyPostings"),
  /** The row lock of the index was not free in time. */
  ROW_LOCK_TIMEOUT("rowLockTimeout"),
  /** A log edit carried indexed cells that never passed the index. */
  BYPASSED_INDEX("bypassedIndex"),
  /** The index could not do its work for another reason; the error says which. */
  OTHER("other");

  private final String metricName;

  WriteRefusal(String metricName) {
    this.metricName = metricName;
  }

  /** The name under which registries and status calls show this reason. */
  public String metricName() {
    return metricName;
  }
}
