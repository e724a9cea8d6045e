/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
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
 * <p><b>Layout.</b> Blocks of up to {@value #BLOCK} prefixes in rising order, each as the number of
 * bytes that it shares with the one before in its block, and the rest:
 *
 * <pre>
 *   uint8 8 × shared + bytes of the rest │ the rest                     if these are 6 at most
 *   uint8 8 × shared + 7 │ uint8 bytes of the rest │ the rest           if they are more
 * </pre>
 *
 * <p>A change replaces the blocks that it touches and copies the list of the others, so no reader
 * waits and no change takes long.
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

  private static final int BLOCK = 32;
  private static final int LONG_REST = 7;

  /** An array and its place in the list of blocks. */
  private static final int BLOCK_BYTES = 24;

  /** Covers no value. */
  public static final ValuePrefixes NOTHING = new ValuePrefixes(new byte[0][], 0);

  /** Covers all values. */
  public static final ValuePrefixes EVERYTHING = packed(List.of(new byte[0]));

  private final byte[][] blocks;
  private final int count;
  private final long bytes;

  private ValuePrefixes(byte[][] blocks, int count) {
    this.blocks = blocks;
    this.count = count;
    long all = 0;
    for (byte[] block : blocks) {
      all += BLOCK_BYTES + block.length;
    }
    this.bytes = all;
  }

  /** Values as they are, up to {@value #LENGTH} bytes of each. */
  public static ValuePrefixes whole(Collection<byte[]> values) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    for (byte[] value : values) {
      sorted.add(value.length <= LENGTH ? value : Arrays.copyOf(value, LENGTH));
    }
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
      List<byte[]> prefixes = unpacked(block);
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
    return new ValuePrefixes(blocks.toArray(byte[][]::new), count);
  }

  /** The prefixes in blocks, as they are kept and sent; not to be changed. */
  public List<byte[]> blocks() {
    return List.of(blocks);
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
   * Whether some string from one on and below another may be covered.
   *
   * @param below null for no end
   */
  public boolean meets(byte[] from, byte[] below) {
    if (count == 0 || below != null && Arrays.compareUnsigned(from, below) >= 0) {
      return false;
    }
    int block = blockOf(from);
    Unpacking prefixes = new Unpacking(blocks[block]);
    boolean covered = false;
    while (prefixes.next()) {
      if (prefixes.compareTo(from) > 0) {
        return covered || below == null || prefixes.compareTo(below) < 0;
      }
      covered = prefixes.isBeginningOf(from);
    }
    return covered
        || block + 1 < blocks.length
            && (below == null || compareFirst(blocks[block + 1], below) < 0);
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
      int block = blockOf(string);
      Unpacking prefixes = new Unpacking(blocks[block]);
      while (above < 0 && prefixes.next()) {
        look(prefixes, string);
      }
      if (above < 0 && block + 1 < blocks.length) {
        prefixes = new Unpacking(blocks[block + 1]);
        prefixes.next();
        look(prefixes, string);
      }
    }

    private void look(Unpacking prefix, byte[] string) {
      int shared = prefix.sharedWith(string);
      if (prefix.compareTo(string) > 0) {
        above = shared;
      } else {
        below = shared;
        covered = shared == prefix.length;
      }
    }
  }

  /** The last block that begins with nothing above a string; the first if there is none. */
  private int blockOf(byte[] string) {
    int low = 0;
    int high = blocks.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (compareFirst(blocks[middle], string) > 0) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }

  // ---- changes ----

  /** What has to be added so that all values are covered, cut as short as it may be. */
  public ValuePrefixes lacking(ValuePrefixes values) {
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
                Math.max(shared(next, before), shared(next, after)),
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
    return packed(other.prefixes().stream().filter(prefix -> !covers(prefix)).toList());
  }

  /** What covers all that this covers, and all that the other one does. */
  public ValuePrefixes union(ValuePrefixes other) {
    if (other.count == 0 || count == 0) {
      return count == 0 ? other : this;
    }
    Union union = new Union(count);
    int at = blockOf(firstOf(other.blocks[0]));
    union.keep(Arrays.asList(blocks).subList(0, at));
    List<byte[]> added = other.prefixes();
    int from = 0;
    for (; at < blocks.length; at++) {
      int to = added.size();
      if (at + 1 < blocks.length) {
        to = from;
        while (to < added.size() && compareFirst(blocks[at + 1], added.get(to)) > 0) {
          to++;
        }
      }
      union.merge(blocks[at], added.subList(from, to), at + 1 == blocks.length);
      from = to;
    }
    return union.made();
  }

  /** Puts the blocks of a union together, from the lowest on. */
  private static final class Union {
    private final List<byte[]> blocks = new ArrayList<>();
    private int count;

    /** The last one that was merged, if the next block comes directly behind it. */
    private byte[] last;

    Union(int count) {
      this.count = count;
    }

    void keep(List<byte[]> unchanged) {
      blocks.addAll(unchanged);
    }

    /** A short prefix that was added may cover the beginning of later blocks. */
    void merge(byte[] block, List<byte[]> added, boolean atTheEnd) {
      if (added.isEmpty() && (last == null || !startsWith(firstOf(block), last))) {
        blocks.add(block);
        last = null;
        return;
      }
      List<byte[]> present = unpacked(block);
      List<byte[]> merged = new ArrayList<>(present.size() + added.size());
      int from = 0;
      for (byte[] next : present) {
        while (from < added.size() && Arrays.compareUnsigned(added.get(from), next) <= 0) {
          add(merged, added.get(from++));
        }
        add(merged, next);
      }
      added.subList(from, added.size()).forEach(next -> add(merged, next));
      count += merged.size() - present.size();
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
        blocks.add(packedBlock(merged.subList(from, Math.min(merged.size(), from + each))));
      }
    }

    ValuePrefixes made() {
      return new ValuePrefixes(blocks.toArray(byte[][]::new), count);
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
      shared[at] = Math.max(shared(all.get(at), before), shared(all.get(at), after));
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

  private static int shared(byte[] one, byte[] other) {
    int mismatch = other == null ? 0 : Arrays.mismatch(one, other);
    return mismatch < 0 ? one.length : mismatch;
  }

  // ---- blocks ----

  private static ValuePrefixes packed(List<byte[]> rising) {
    byte[][] blocks = new byte[(rising.size() + BLOCK - 1) / BLOCK][];
    for (int at = 0; at < blocks.length; at++) {
      int from = at * BLOCK;
      blocks[at] = packedBlock(rising.subList(from, Math.min(rising.size(), from + BLOCK)));
    }
    return new ValuePrefixes(blocks, rising.size());
  }

  private static byte[] packedBlock(List<byte[]> prefixes) {
    byte[] block = new byte[prefixes.size() * (2 + LENGTH)];
    int to = 0;
    byte[] before = null;
    for (byte[] prefix : prefixes) {
      int shared = shared(prefix, before);
      int rest = prefix.length - shared;
      block[to++] = (byte) (shared << 3 | Math.min(rest, LONG_REST));
      if (rest >= LONG_REST) {
        block[to++] = (byte) rest;
      }
      System.arraycopy(prefix, shared, block, to, rest);
      to += rest;
      before = prefix;
    }
    return Arrays.copyOf(block, to);
  }

  /** The prefixes, in rising order. */
  public List<byte[]> prefixes() {
    List<byte[]> all = new ArrayList<>(count);
    for (byte[] block : blocks) {
      all.addAll(unpacked(block));
    }
    return all;
  }

  private static List<byte[]> unpacked(byte[] block) {
    List<byte[]> prefixes = new ArrayList<>(BLOCK);
    Unpacking unpacking = new Unpacking(block);
    while (unpacking.next()) {
      prefixes.add(unpacking.prefix());
    }
    return prefixes;
  }

  private static byte[] firstOf(byte[] block) {
    Unpacking first = new Unpacking(block);
    first.next();
    return first.prefix();
  }

  /** Compares what a block begins with to a string. */
  private static int compareFirst(byte[] block, byte[] string) {
    int rest = block[0] & LONG_REST;
    int from = rest < LONG_REST ? 1 : 2;
    int length = rest < LONG_REST ? rest : block[1];
    return Arrays.compareUnsigned(block, from, from + length, string, 0, string.length);
  }

  /** Goes through a block. */
  private static final class Unpacking {
    private final byte[] block;
    private final byte[] prefix = new byte[LENGTH];
    private int at;
    private int length;

    Unpacking(byte[] block) {
      this.block = block;
    }

    boolean next() {
      if (at == block.length) {
        return false;
      }
      int shared = (block[at] & 0xFF) >>> 3;
      int rest = block[at++] & LONG_REST;
      if (rest == LONG_REST) {
        rest = at < block.length ? block[at++] : -1;
      }
      if (rest < 0 || shared > length || shared + rest > LENGTH || at + rest > block.length) {
        throw new IllegalArgumentException("a prefix goes beyond its block or its length");
      }
      System.arraycopy(block, at, prefix, shared, rest);
      at += rest;
      length = shared + rest;
      return true;
    }

    int compareTo(byte[] string) {
      return Arrays.compareUnsigned(prefix, 0, length, string, 0, string.length);
    }

    int sharedWith(byte[] string) {
      int mismatch = Arrays.mismatch(prefix, 0, length, string, 0, string.length);
      return mismatch < 0 ? length : mismatch;
    }

    boolean isBeginningOf(byte[] string) {
      return sharedWith(string) == length;
    }

    byte[] prefix() {
      return Arrays.copyOf(prefix, length);
    }
  }

  /** Whether the prefixes are the same; they may be in other blocks. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ValuePrefixes that
        && count == that.count
        && (Arrays.deepEquals(blocks, that.blocks)
            || Arrays.deepEquals(prefixes().toArray(), that.prefixes().toArray()));
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
