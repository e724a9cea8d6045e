/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where one shard of a table's filters is kept, and by which name.
 *
 * <p>A registry knows each shard of a table as a table of its own. So shards of one table may meet
 * at one holder, and those of a table that was cut differently before are never taken for them.
 *
 * @param holder the number of the holder; {@link #MASTER} for the active master
 * @param name what the registry calls the table
 */
@InterfaceAudience.Public
public record ShardPlace(int holder, String name) {
  /** Stands for the active master where the number of a holder is asked for. */
  public static final int MASTER = -1;

  private static final char MARK = '/'; // in no name of a table

  static ShardPlace master(String table) {
    return new ShardPlace(MASTER, table);
  }

  static ShardPlace of(String table, int shard, int shards, int holder) {
    return new ShardPlace(holder, nameOf(table, shard, shards));
  }

  /** What a holder calls one shard of a table that has so many. */
  public static String nameOf(String table, int shard, int shards) {
    return table + MARK + shard + "." + shards;
  }

  /** The table of which a registry's table is a shard, or that itself. */
  public static String tableOf(String name) {
    int end = name.indexOf(MARK);
    return end < 0 ? name : name.substring(0, end);
  }

  /** Whether this is the active master. */
  public boolean isMaster() {
    return holder == MASTER;
  }
}
