/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.push;

import io.hbaseindex.core.route.OpenReason;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The master's answer to one {@link RegionMessage}.
 *
 * @param region the region the message was about
 * @param verdict what has become of it
 * @param generation the generation the verdict is about
 * @param position parts staged, or the last page applied
 * @param reason why the region is open at the master, or its filter refused; else null
 */
@InterfaceAudience.Private
public record RegionReply(
    int region, Verdict verdict, long generation, long position, OpenReason reason) {
  /** What has become of a message. */
  public enum Verdict {
    /** The entry is open; no generation up to the given one will be trusted again. */
    OPEN,
    /** Parts of the given generation have been staged. */
    STAGED,
    /** Pages have been applied to the given generation, which is staged and not yet in use. */
    PREPARED,
    /** The given generation is not staged any more; an older one still stands. */
    UNSTAGED,
    /** Pages of the given generation, which is in use, have been applied. */
    APPLIED,
    /** Pages of the given generation, which is in use, have been applied, and it is trusted. */
    TRUSTED,
    /** The message is about a generation that a newer one has replaced. */
    STALE,
    /** The incarnation is not the newest one of its keys, or its server counts as dead. */
    FENCED,
    /** The incarnation has been released. */
    RELEASED,
    /** The region has not been announced to this master. */
    UNKNOWN
  }

  public static RegionReply of(int region, Verdict verdict) {
    return new RegionReply(region, verdict, 0, 0, null);
  }
}
