/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Candidates that had to be collected before they could be put into row order: postings of a range
 * of values lie in order of value first.
 */
@InterfaceAudience.Private
public final class SortedPostings implements RowStream {
  /**
   * An index row key, where in it the data row key begins, whether the row need not be asked, and
   * the value of the posting if it was kept.
   */
  private record Entry(byte[] key, int rowOffset, boolean certain, byte[] value) {
    static final Comparator<Entry> BY_ROW =
        (a, b) ->
            Arrays.compareUnsigned(
                a.key, a.rowOffset, a.key.length, b.key, b.rowOffset, b.key.length);

    int compareRow(byte[] row) {
      return Arrays.compareUnsigned(key, rowOffset, key.length, row, 0, row.length);
    }

    byte[] row() {
      return Arrays.copyOfRange(key, rowOffset, key.length);
    }
  }

  /** What an entry occupies beside the bytes of its key: array and record headers, reference. */
  private static final int ENTRY_OVERHEAD = 48;

  private static final byte[] NOT_KEPT = {};

  private final Entry[] entries;
  private int next;

  private SortedPostings(Entry[] entries) {
    this.entries = entries;
  }

  @Override
  public byte[] seek(byte[] from) {
    next = firstAtOrAfter(from);
    return next == entries.length ? null : entries[next].row();
  }

  /** Gallops from where the last call ended: a scan mostly asks for the entry after it. */
  private int firstAtOrAfter(byte[] from) {
    int low = next;
    int step = 1;
    while (low + step < entries.length && entries[low + step].compareRow(from) < 0) {
      low += step;
      step *= 2;
    }
    int high = Math.min(low + step, entries.length);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries[middle].compareRow(from) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * A row has several postings in the range if its value changed and the old one is still there.
   */
  @Override
  public void postingsOf(byte[] row, Consumer<byte[]> postings) {
    for (int i = next; i < entries.length && entries[i].compareRow(row) == 0; i++) {
      postings.accept(entries[i].key);
    }
  }

  @Override
  public boolean answersFor(byte[] row, Consumer<CertainPosting> certain) {
    for (int i = next; i < entries.length && entries[i].compareRow(row) == 0; i++) {
      if (entries[i].certain) {
        certain.accept(new CertainPosting(entries[i].key, entries[i].value));
        return true;
      }
    }
    return false;
  }

  /** Gathers postings in any order, as long as a budget has memory for them. */
  public static final class Collector {
    private final SortBudget budget;
    private final List<Entry> collected = new ArrayList<>();

    public Collector(SortBudget budget) {
      this.budget = budget;
    }

    /** Takes a posting; false if the memory is used up, and then it is not taken. */
    public boolean add(byte[] key, int rowOffset, boolean certain) {
      return add(key, rowOffset, certain, NOT_KEPT);
    }

    /**
     * As above; the value is kept too if there is memory to spare. A row whose posting's value is
     * not kept can still be read.
     */
    boolean add(byte[] key, int rowOffset, boolean certain, byte[] value) {
      if (!budget.keep(key.length + ENTRY_OVERHEAD)) {
        return false;
      }
      boolean kept = value.length > 0 && budget.keepIfToSpare(value.length + ENTRY_OVERHEAD);
      return collected.add(new Entry(key, rowOffset, certain, kept ? value : NOT_KEPT));
    }

    public SortedPostings sorted() {
      Entry[] entries = collected.toArray(Entry[]::new);
      Arrays.sort(entries, Entry.BY_ROW);
      return new SortedPostings(entries);
    }
  }
}
