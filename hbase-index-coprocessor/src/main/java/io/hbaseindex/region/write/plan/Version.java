/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * One stored or coming cell of a column that postings depend on: a put, or a marker that deletes
 * puts.
 *
 * @param kind what it is
 * @param timestamp its cell timestamp
 * @param sequence when it was written: HBase's sequence id, shared by all cells of one batch; 0
 *     when a compaction has erased it; {@link #AT_HAND} for the batch being written
 * @param labelled whether it has a visibility expression
 * @param mortal whether it has a time to live of its own, after which readers skip it
 * @param tagged whether it has a tag of any kind: a label, a time to live, permissions
 * @param value the value of a put; null for markers
 */
@InterfaceAudience.Private
public record Version(
    Kind kind,
    long timestamp,
    long sequence,
    boolean labelled,
    boolean mortal,
    boolean tagged,
    byte[] value) {
  /** The sequence of what is being written now: after everything stored. */
  public static final long AT_HAND = Long.MAX_VALUE;

  private static final long ERASED = 0;

  public enum Kind {
    PUT,
    /** Deletes the put of one timestamp. */
    DELETE_VERSION,
    /** Deletes the puts up to a timestamp. */
    DELETE_COLUMN,
    /** Deletes the puts of one timestamp in all columns of a family. */
    DELETE_FAMILY_VERSION,
    /** Deletes the puts up to a timestamp in all columns of a family. */
    DELETE_FAMILY;

    public boolean isFamilyWide() {
      return this == DELETE_FAMILY || this == DELETE_FAMILY_VERSION;
    }
  }

  public boolean isPut() {
    return kind == Kind.PUT;
  }

  /**
   * Whether this marker hides {@code put} from readers; HBase looks at timestamps, and where one of
   * the two is labelled, this says that it may.
   */
  boolean masks(Version put) {
    return switch (kind) {
      case PUT -> false;
      case DELETE_VERSION, DELETE_FAMILY_VERSION -> put.timestamp == timestamp;
      case DELETE_COLUMN, DELETE_FAMILY -> put.timestamp <= timestamp;
    };
  }

  /**
   * Whether this marker hides {@code put} for good. A marker written before the put hides it only
   * until a major compaction drops the marker, which may happen while the put is still in the
   * memstore. A marker written with or after the put reaches the files no earlier than the put, so
   * the compaction that drops the one drops the other.
   *
   * <p>Sequences are erased, days later, by compactions of all files, which also drop what the
   * markers among them hide. So of a marker and a put below it at most one is erased, and it is the
   * older one: 0 still tells their order. Where both say 0, one came from a bulk-loaded file
   * without sequence; such a put may be in a file that a running compaction does not read, and so
   * counts as hidden only.
   *
   * <p>With visibility labels a marker hides only puts of a matching expression, and what matches
   * is decided by a service that can be exchanged. So nothing that is labelled counts as removed,
   * and nothing is by a labelled marker; the next compaction decides, and a sweep follows it. A
   * mortal marker hides for a time, and so never for good.
   */
  boolean removes(Version put) {
    return masks(put)
        && sequence >= put.sequence
        && sequence != ERASED
        && !labelled
        && !mortal
        && !put.labelled;
  }
}
