/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.shard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where a cluster keeps its filters: at the active master, or at a number of holders.
 *
 * <p>With holders, the filter of each region of a table is cut into shards by the hash of the
 * value, and each shard is kept by one holder. A question for one value asks one holder, however
 * many there are. A table with few values needs few shards, so each table may have its own number.
 *
 * <p>A layout is kept as a line of text: {@code version=3 holders=8 shards=4 ns:small=1}.
 *
 * @param version grows with every change; a layout that was never set has version 0
 * @param holders how many holders there are; 0 if the active master is the only one
 * @param shards how many shards a table has unless it has its own number
 * @param ofTables the numbers of shards of single tables, by full name
 */
@InterfaceAudience.Public
public record HolderLayout(long version, int holders, int shards, Map<String, Integer> ofTables) {
  /** The most holders there may be: their numbers are keys of two bytes. */
  public static final int MOST_HOLDERS = 1 << 12;

  /** The layout of a cluster in which none was ever set. */
  public static final HolderLayout MASTER = new HolderLayout(0, 0, 1, Map.of());

  private static final String VERSION = "version";
  private static final String HOLDERS = "holders";
  private static final String SHARDS = "shards";

  public HolderLayout {
    if (holders < 0 || holders > MOST_HOLDERS) {
      throw new IllegalArgumentException(
          "Cannot keep filters at holders: their number was "
              + holders
              + "; it must be from 0, the master, to "
              + MOST_HOLDERS);
    }
    requireShards("a table", shards);
    ofTables.forEach(HolderLayout::requireShards);
    ofTables = Collections.unmodifiableMap(new TreeMap<>(ofTables));
  }

  private static void requireShards(String table, int shards) {
    if (shards < 1) {
      throw new IllegalArgumentException(
          "Cannot cut the filters of "
              + table
              + ": the shards were "
              + shards
              + "; give 1 or more");
    }
  }

  /** Whether the active master holds all filters. */
  public boolean isMaster() {
    return holders == 0;
  }

  /** How many shards the filters of a table are cut into: never more than there are holders. */
  public int shardsOf(String table) {
    return isMaster() ? 1 : Math.min(holders, ofTables.getOrDefault(table, shards));
  }

  /**
   * Where the shards of a table are, by shard. They are all at different holders, and those of
   * different tables begin at different ones, so that many small tables are spread, too.
   */
  public List<ShardPlace> places(String table) {
    if (isMaster()) {
      return List.of(ShardPlace.master(table));
    }
    int count = shardsOf(table);
    int first = Math.floorMod(table.hashCode(), holders);
    List<ShardPlace> places = new ArrayList<>(count);
    for (int shard = 0; shard < count; shard++) {
      places.add(ShardPlace.of(table, shard, count, (first + shard) % holders));
    }
    return List.copyOf(places);
  }

  /** The layout after this one, with so many holders and shards. */
  public HolderLayout next(int holders, int shards, Map<String, Integer> ofTables) {
    return new HolderLayout(version + 1, holders, shards, ofTables);
  }

  /** The layout as a line of text. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(VERSION).append('=').append(version);
    text.append(' ').append(HOLDERS).append('=').append(holders);
    text.append(' ').append(SHARDS).append('=').append(shards);
    ofTables.forEach((table, count) -> text.append(' ').append(table).append('=').append(count));
    return text.toString();
  }

  /** Reads what {@link #text} has written; refuses anything else. */
  public static HolderLayout parse(String text) {
    Map<String, Integer> numbers = new TreeMap<>();
    long version = -1;
    try {
      for (String word : text.strip().split(" +")) {
        int at = word.lastIndexOf('=');
        String name = word.substring(0, at);
        String number = word.substring(at + 1);
        if (name.equals(VERSION)) {
          version = Long.parseLong(number);
        } else if (name.isEmpty() || numbers.put(name, Integer.parseInt(number)) != null) {
          throw unreadable(text, null);
        }
      }
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw unreadable(text, e);
    }
    Integer holders = numbers.remove(HOLDERS);
    Integer shards = numbers.remove(SHARDS);
    if (version < 0 || holders == null || shards == null) {
      throw unreadable(text, null);
    }
    return new HolderLayout(version, holders, shards, numbers);
  }

  private static IllegalArgumentException unreadable(String text, Exception cause) {
    return new IllegalArgumentException(
        "Cannot read where filters are kept: the text was \""
            + text
            + "\"; it must be like \"version=1 holders=8 shards=4\"",
        cause);
  }
}
