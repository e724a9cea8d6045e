/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

/** Which master a region speaks to, and whether that one knows of the region. */
final class MasterContact {
  private boolean known;
  private long master;
  private boolean announced;
  private long announceAt;

  MasterContact(long now) {
    this.announceAt = now;
  }

  /** Whether a master has been heard of, and it is another one. */
  boolean isReplacedBy(long incarnation) {
    return known && incarnation != master;
  }

  /** Whether this master is the one that the region speaks to. */
  boolean isWith(long incarnation) {
    return known && incarnation == master;
  }

  /** The region speaks to this master from now on, which does not know of it yet. */
  void begin(long incarnation, long now) {
    known = true;
    master = incarnation;
    forgotten(now);
  }

  /** The master that the region speaks to; 0 if there is none. */
  long master() {
    return master;
  }

  /** The master knows of the region. */
  void announced() {
    announced = true;
  }

  boolean isAnnounced() {
    return announced;
  }

  /** The master knows of the region no more, and is to be told of it at a moment. */
  void forgotten(long tellAt) {
    announced = false;
    announceAt = tellAt;
  }

  /** Whether it is time to tell a master that does not know of the region. */
  boolean isTimeToAnnounce(long now) {
    return now - announceAt >= 0;
  }

  long announceAt() {
    return announceAt;
  }
}
