/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Prefixes that together cover all values of an index in a region: they may cover more than the
 * values, never less (E4). Immutable.
 *
 * <p>A prefix covers every string that starts with it, and none is the beginning of another one.
 * Strings are values {@linkplain io.hbaseindex.core.entry.IndexRowKeys#firstColumn as postings have
 * them}: sorted as the values are, and none is the beginning of another, so a value that stands
 * here whole covers itself and no other.
 *
 * <p><b>How long they are.</b> A value is cut {@value #EXTRA} bytes behind what it shares with its
 * neighbours of the same region. Where values are dense prefixes so become longer by themselves,
 * and each covers a small part of the gap to its neighbours, whatever the distribution: this is a
 * trie without its leaves, as in SuRF [1]. The smallest and the largest value, and all where there
 * are up to {@value #FEW}, stand whole, up to {@value #LENGTH} bytes: nothing in the region tells
 * how near the values of other regions are.
 *
 * <p><b>Changes.</b> What covers more is made by adding prefixes; a shorter one takes the place of
 * those that begin with it. Adding is a union: in whatever order, and however often the same are
 * added, the result is the same. Nothing is ever taken out.
 *
 * <p><b>Layout.</b> {@linkplain PrefixBlock Blocks} of up to {@value PrefixBlock#MOST} prefixes in
 * rising order. A change replaces the blocks that it touches and shares the others, without a look
 * at any; so no reader waits and no change takes long.
 *
 * <p>[1] H. Zhang et al., SuRF: Practical Range Query Filtering with Fast Succinct Tries, SIGMOD
 * 2018.
 */
@InterfaceAudience.Private
public final class ValuePrefixes {
  /** A time of day with its date as text has room in it, and so have all numbers. */
  public static final int LENGTH = 32;

  /** So many bytes are kept behind what a value shares with its neighbours. */
  static final int EXTRA = 3;

  /** So many values stand whole. */
  static final int FEW = 64;

  private static final int BLOCK = PrefixBlock.MOST;

  /** An array and its place in the list of blocks. */
  private static final int BLOCK_BYTES = 24;

  /** Covers no value. */
  public static final ValuePrefixes NOTHING = new ValuePrefixes(BlockList.of(List.of()), 0, 0);

  /** Covers all values. */
  public static final ValuePrefixes EVERYTHING = packed(List.of(new byte[0]));

  private final BlockList blocks;
  private final int count;
  private final long bytes;

  private ValuePrefixes(BlockList blocks, int count, long bytes) {
    this.blocks = blocks;
    this.count = count;
    this.bytes = bytes;
  }

  private static ValuePrefixes ofBlocks(List<byte[]> blocks, int count) {
    long bytes = blocks.stream().mapToLong(ValuePrefixes::bytesOf).sum();
    return new ValuePrefixes(BlockList.of(blocks), count, bytes);
  }

  private static long bytesOf(byte[] block) {
    return BLOCK_BYTES + block.length;
  }

  /** Values as they are, up to {@value #LENGTH} bytes of each. */
  public static ValuePrefixes whole(Collection<byte[]> values) {
    List<byte[]> sorted = new ArrayList<>(values.size());
    for (byte[] value : values) {
      sorted.add(value.length <= LENGTH ? value : Arrays.copyOf(value, LENGTH));
    }
    sorted.sort(Arrays::compareUnsigned);
    List<byte[]> rising = new ArrayList<>(sorted.size());
    sorted.forEach(value -> append(rising, value));
    return packed(rising);
  }

  /**
   * Puts prefixes together from their {@link #blocks}, in order.
   *
   * @throws IllegalArgumentException if they are no such blocks
   */
  public static ValuePrefixes ofBlocks(List<byte[]> blocks) {
    byte[] last = null;
    int count = 0;
    for (byte[] block : blocks) {
      List<byte[]> prefixes = PrefixBlock.prefixes(block);
      if (prefixes.isEmpty() || prefixes.size() > BLOCK) {
        throw new IllegalArgumentException("a block has " + prefixes.size() + " prefixes");
      }
      for (byte[] next : prefixes) {
        if (last != null && (startsWith(next, last) || Arrays.compareUnsigned(last, next) > 0)) {
          throw new IllegalArgumentException("prefixes are out of order");
        }
        last = next;
      }
      count += prefixes.size();
    }
    return ofBlocks(blocks, count);
  }

  /** The prefixes in blocks, as they are kept and sent; not to be changed. */
  public List<byte[]> blocks() {
    return blocks.all();
  }

  /** How many prefixes there are. */
  public int count() {
    return count;
  }

  /** Bytes of memory that they take, and about as many on their way. */
  public long bytes() {
    return bytes;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  // ---- questions ----

  /**
   * The outermost prefix: no value that is covered sorts beyond all strings that begin with it.
   *
   * @param largest whether the one above all others is wanted, or the one below them
   */
  public Optional<byte[]> edge(boolean largest) {
    if (count == 0) {
      return Optional.empty();
    }
    List<byte[]> outer = PrefixBlock.prefixes(blocks.get(largest ? blocks.size() - 1 : 0));
    return Optional.of(outer.get(largest ? outer.size() - 1 : 0));
  }

  /**
   * Whether some string from one on and below another may be covered.
   *
   * @param below null for no end
   */
  public boolean meets(byte[] from, byte[] below) {
    if (count == 0 || below != null && Arrays.compareUnsigned(from, below) >= 0) {
      return false;
    }
    int block = blocks.find(from);
    PrefixBlock.Cursor prefixes = new PrefixBlock.Cursor(blocks.get(block));
    boolean covered = false;
    while (prefixes.next()) {
      if (prefixes.compareTo(from) > 0) {
        return covered || below == null || prefixes.compareTo(below) < 0;
      }
      covered = prefixes.isBeginningOf(from);
    }
    return covered
        || block + 1 < blocks.size()
            && (below == null || PrefixBlock.compareFirst(blocks.get(block + 1), below) < 0);
  }

  /** Whether a string, and all that begin with it, are covered. */
  public boolean covers(byte[] string) {
    return new Neighbours(string).covered;
  }

  /** What a string has in common with the prefixes next to it. */
  private final class Neighbours {
    private boolean covered;

    /** Bytes shared with the next one below and above; negative if there is none. */
    private int below = -1;

    private int above = -1;

    Neighbours(byte[] string) {
      if (count == 0) {
        return;
      }
      int block = blocks.find(string);
      PrefixBlock.Cursor prefixes = new PrefixBlock.Cursor(blocks.get(block));
      while (above < 0 && prefixes.next()) {
        look(prefixes, string);
      }
      if (above < 0 && block + 1 < blocks.size()) {
        prefixes = new PrefixBlock.Cursor(blocks.get(block + 1));
        prefixes.next();
        look(prefixes, string);
      }
    }

    private void look(PrefixBlock.Cursor prefix, byte[] string) {
      int shared = prefix.sharedWith(string);
      if (prefix.compareTo(string) > 0) {
        above = shared;
      } else {
        below = shared;
        covered = shared == prefix.length();
      }
    }
  }

  // ---- changes ----

  /** What has to be added so that all values are covered, cut as short as it may be. */
  public ValuePrefixes lacking(ValuePrefixes values) {
    if (values.count == 0) {
      return NOTHING;
    }
    boolean wholly = count + values.count <= FEW;
    List<byte[]> found = new ArrayList<>();
    byte[] before = null;
    List<byte[]> all = values.prefixes();
    for (int at = 0; at < all.size(); at++) {
      byte[] next = all.get(at);
      byte[] after = at + 1 < all.size() ? all.get(at + 1) : null;
      Neighbours known = new Neighbours(next);
      if (!known.covered) {
        boolean least = before == null && known.below < 0;
        boolean greatest = after == null && known.above < 0;
        int shared =
            Math.max(
                Math.max(PrefixBlock.shared(next, before), PrefixBlock.shared(next, after)),
                Math.max(known.below, known.above));
        boolean whole = wholly || least || greatest || shared + EXTRA >= next.length;
        append(found, whole ? next : Arrays.copyOf(next, shared + EXTRA));
      }
      before = next;
    }
    return packed(found);
  }

  /** Those of another that this does not cover: added to this they make it cover all of them. */
  public ValuePrefixes uncovered(ValuePrefixes other) {
    return other.count == 0
        ? NOTHING
        : packed(other.prefixes().stream().filter(prefix -> !covers(prefix)).toList());
  }

  /** What covers all that this covers, and all that the other one does. */
  public ValuePrefixes union(ValuePrefixes other) {
    if (other.count == 0 || count == 0) {
      return count == 0 ? other : this;
    }
    return new Union(this, other.prefixes()).made();
  }

  /** Puts the blocks of a union together, from the lowest on. */
  private static final class Union {
    private final ValuePrefixes present;
    private final List<byte[]> added;
    private final BlockList.Builder blocks = new BlockList.Builder();
    private int count;
    private long bytes;

    /** The last one that was merged, if the next block comes directly behind it. */
    private byte[] last;

    Union(ValuePrefixes present, List<byte[]> added) {
      this.present = present;
      this.added = added;
      this.count = present.count;
      this.bytes = present.bytes;
    }

    ValuePrefixes made() {
      int at = 0;
      int from = 0;
      while (from < added.size() || reaches(at)) {
        if (!reaches(at)) {
          int next = present.blocks.find(added.get(from));
          keep(at, next);
          at = next;
        }
        boolean atTheEnd = at + 1 == present.blocks.size();
        int to = from;
        while (to < added.size()
            && (atTheEnd
                || PrefixBlock.compareFirst(present.blocks.get(at + 1), added.get(to)) > 0)) {
          to++;
        }
        merge(present.blocks.get(at), added.subList(from, to), atTheEnd);
        at++;
        from = to;
      }
      keep(at, present.blocks.size());
      return new ValuePrefixes(blocks.made(), count, bytes);
    }

    /** Whether a short prefix that was added covers the beginning of the next block, too. */
    private boolean reaches(int block) {
      return last != null
          && block < present.blocks.size()
          && startsWith(PrefixBlock.first(present.blocks.get(block)), last);
    }

    /** Blocks that nothing is added to. */
    private void keep(int from, int to) {
      if (from < to) {
        blocks.keep(present.blocks, from, to);
        last = null;
      }
    }

    private void merge(byte[] block, List<byte[]> some, boolean atTheEnd) {
      List<byte[]> before = PrefixBlock.prefixes(block);
      List<byte[]> merged = new ArrayList<>(before.size() + some.size());
      int from = 0;
      for (byte[] next : before) {
        while (from < some.size() && Arrays.compareUnsigned(some.get(from), next) <= 0) {
          add(merged, some.get(from++));
        }
        add(merged, next);
      }
      some.subList(from, some.size()).forEach(next -> add(merged, next));
      count += merged.size() - before.size();
      bytes -= bytesOf(block);
      pack(merged, atTheEnd);
    }

    private void add(List<byte[]> merged, byte[] next) {
      if (last == null || !startsWith(next, last)) {
        merged.add(next);
        last = next;
      }
    }

    /**
     * At the end blocks are full, since values are read in their order; elsewhere there is room.
     */
    private void pack(List<byte[]> merged, boolean atTheEnd) {
      int parts = (merged.size() + BLOCK - 1) / BLOCK;
      int each = atTheEnd || parts == 0 ? BLOCK : (merged.size() + parts - 1) / parts;
      for (int from = 0; from < merged.size(); from += each) {
        byte[] packed = PrefixBlock.of(merged.subList(from, Math.min(merged.size(), from + each)));
        blocks.add(packed);
        bytes += bytesOf(packed);
      }
    }
  }

  /** What covers all that this covers and takes so many bytes at most, or is one prefix. */
  public ValuePrefixes bounded(long most) {
    ValuePrefixes fewer = this;
    while (fewer.bytes > most && fewer.count > 1) {
      fewer = fewer.coarser();
    }
    return fewer;
  }

  /**
   * Half of them, at least, are cut to what they share with the neighbour that is nearer, so that
   * one is left of both: those that are nearest to each other. Where values are far from each other
   * they stay.
   */
  private ValuePrefixes coarser() {
    List<byte[]> all = prefixes();
    int[] shared = new int[all.size()];
    int[] histogram = new int[LENGTH + 1];
    for (int at = 0; at < shared.length; at++) {
      byte[] before = at == 0 ? null : all.get(at - 1);
      byte[] after = at + 1 < shared.length ? all.get(at + 1) : null;
      shared[at] =
          Math.max(PrefixBlock.shared(all.get(at), before), PrefixBlock.shared(all.get(at), after));
      histogram[shared[at]]++;
    }
    int least = LENGTH;
    for (int cut = histogram[least]; 2 * cut < shared.length; cut += histogram[least]) {
      least--;
    }
    List<byte[]> fewer = new ArrayList<>();
    for (int at = 0; at < shared.length; at++) {
      byte[] prefix = all.get(at);
      append(fewer, shared[at] >= least ? Arrays.copyOf(prefix, shared[at]) : prefix);
    }
    return packed(fewer);
  }

  /** Adds a prefix of a string that is above all whose prefixes have been added. */
  private static void append(List<byte[]> rising, byte[] next) {
    while (!rising.isEmpty() && startsWith(rising.get(rising.size() - 1), next)) {
      rising.remove(rising.size() - 1);
    }
    if (rising.isEmpty() || !startsWith(next, rising.get(rising.size() - 1))) {
      rising.add(next);
    }
  }

  private static boolean startsWith(byte[] string, byte[] prefix) {
    return string.length >= prefix.length
        && Arrays.equals(string, 0, prefix.length, prefix, 0, prefix.length);
  }

  // ---- blocks ----

  private static ValuePrefixes packed(List<byte[]> rising) {
    if (rising.isEmpty()) {
      return NOTHING;
    }
    List<byte[]> blocks = new ArrayList<>(rising.size() / BLOCK + 1);
    for (int from = 0; from < rising.size(); from += BLOCK) {
      blocks.add(PrefixBlock.of(rising.subList(from, Math.min(rising.size(), from + BLOCK))));
    }
    return ofBlocks(blocks, rising.size());
  }

  /** The prefixes, in rising order. */
  public List<byte[]> prefixes() {
    List<byte[]> all = new ArrayList<>(count);
    for (byte[] block : blocks.all()) {
      all.addAll(PrefixBlock.prefixes(block));
    }
    return all;
  }

  /** Whether the prefixes are the same; they may be in other blocks. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ValuePrefixes that
        && count == that.count
        && Arrays.deepEquals(prefixes().toArray(), that.prefixes().toArray());
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(prefixes().toArray());
  }

  /** The prefixes in hexadecimal. */
  @Override
  public String toString() {
    return prefixes().stream().map(HexFormat.of()::formatHex).toList().toString();
  }
}
