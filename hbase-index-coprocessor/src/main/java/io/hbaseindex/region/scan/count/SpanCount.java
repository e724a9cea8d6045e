/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.count;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.region.context.ReadyIndex;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.KeyValueHeap;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the certain postings of a value at the read point of a scan, and names those whose rows
 * are to be asked.
 *
 * <p>It reads the store's own scanners: of a posting nothing is needed but its newest cell, so all
 * that HBase does besides (columns, versions, markers, limits, copies of keys) is left out. Of two
 * cells with one key the one of the higher timestamp comes first; the others are passed by.
 *
 * <p>What files have is counted apart from what is not flushed yet, if that is little, and
 * remembered ({@link CountMemory}). Then each posting that has a cell in memory is taken out of the
 * number that the files have, and put in as it is now.
 *
 * <p>For one scan, and so for one thread at a time.
 */
@InterfaceAudience.Private
public final class SpanCount implements Closeable {
  /** So many unflushed cells are looked up in files one by one. */
  private static final int FEW_UNFLUSHED = 64;

  /** What a step has come to. */
  public enum Step {
    MORE,
    /** The row of {@link #key} is to be asked. */
    ASK,
    END,
    /** The index is not as it was when the scan was planned. */
    NOT_READY
  }

  /**
   * What is believed.
   *
   * @param index the index as it was ready when the scan was planned
   * @param now when the scan began, in ms since 1970
   * @param holds whether the index is still as it was
   */
  public record Belief(ReadyIndex index, long now, BooleanSupplier holds) {}

  /**
   * What is counted.
   *
   * @param access the same in words
   */
  public record Wanted(ValueSpan span, long readPoint, String access) {}

  private final HRegion region;
  private final Wanted wanted;
  private final ValueSpan span;
  private final Belief belief;
  private final boolean cacheBlocks;
  private final CountMemory memory;
  private final Queue<byte[]> toAsk = new ArrayDeque<>();
  private SpanScanners scanners;

  /** The newest unflushed cells, if files are counted apart from them. */
  private NavigableMap<byte[], Cell> unflushed = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /** The files that are counted, if that can be remembered. */
  private Optional<Set<String>> files = Optional.empty();

  private KeyValueHeap postings;
  private Cell previous;
  private boolean ended;
  private boolean lasting = true;

  /** Cells since HBase could free blocks last, however many rows were asked in between. */
  private int unpaused;

  private long counted;
  private long correction;
  private long read;
  private byte[] last = {};
  private byte[] key;

  public SpanCount(
      HRegion region, Wanted wanted, Belief belief, boolean cacheBlocks, CountMemory memory) {
    this.region = region;
    this.wanted = wanted;
    this.span = wanted.span();
    this.belief = belief;
    this.cacheBlocks = cacheBlocks;
    this.memory = memory;
  }

  /** Reads so many postings at most, within one operation of the region. */
  public Step next(int most) throws IOException {
    region.startRegionOperation(Region.Operation.SCAN);
    try {
      if (scanners == null) {
        if (!belief.holds().getAsBoolean()) {
          return Step.NOT_READY;
        }
        open();
      }
      Step step = ended ? Step.END : readOn(most);
      if (step == Step.END && !toAsk.isEmpty()) {
        key = toAsk.remove();
        return Step.ASK;
      }
      return step;
    } finally {
      region.closeRegionOperation(Region.Operation.SCAN);
    }
  }

  private void open() throws IOException {
    HStore store = region.getStore(IndexFamily.bytes());
    scanners = new SpanScanners(store, span, wanted.readPoint(), cacheBlocks);
    files = scanners.wholeFiles();
    Optional<NavigableMap<byte[], Cell>> few =
        files.isEmpty()
            ? Optional.empty()
            : scanners.unflushed(span.start(), span.stop(), FEW_UNFLUSHED);
    if (few.isEmpty()) {
      files = Optional.empty();
      postings = scanners.merge(span.start(), true);
      return;
    }
    unflushed = few.get();
    correct();
    Optional<CountMemory.Counted> known = memory.get(keys(), belief.index(), files.get());
    if (known.isPresent()) {
      counted = known.get().count();
      further(known.get().last());
      ended = true;
    } else {
      postings = scanners.merge(span.start(), false);
    }
  }

  private CountMemory.Span keys() {
    return CountMemory.Span.of(span.start(), span.stop());
  }

  /** Puts each posting that is not flushed yet in the place of what files say of it. */
  private void correct() throws IOException {
    for (Map.Entry<byte[], Cell> posting : unflushed.entrySet()) {
      Cell flushed = scanners.newestInFiles(posting.getKey());
      Cell newest =
          flushed == null ? posting.getValue() : SpanScanners.newer(posting.getValue(), flushed);
      PostingVerdict is = verdict(newest);
      correction += is.counts() ? 1 : 0;
      correction -= flushed != null && verdict(flushed).counts() ? 1 : 0;
      if (is == PostingVerdict.ASK) {
        toAsk.add(posting.getKey());
      } else {
        further(rowOf(posting.getKey()));
      }
      read++;
    }
  }

  private PostingVerdict verdict(Cell posting) throws IOException {
    return PostingVerdict.of(posting, belief.index().certainAfter(), belief.now());
  }

  private Step readOn(int most) throws IOException {
    for (; unpaused < most; unpaused++) {
      Cell cell = postings.peek();
      if (!SpanScanners.isBefore(cell, span.stop())) {
        end();
        return Step.END;
      }
      postings.next();
      if (previous != null && CellUtil.matchingRows(cell, previous)) {
        continue; // an older state
      }
      previous = cell;
      read++;
      PostingVerdict verdict = verdict(cell);
      if (verdict.counts()) {
        counted++;
        lasting &= verdict == PostingVerdict.CERTAIN;
      } else if (verdict == PostingVerdict.ASK) {
        lasting = false;
        key = CellUtil.cloneRow(cell);
        if (!unflushed.containsKey(key)) {
          return Step.ASK;
        }
      }
    }
    pause();
    return Step.MORE;
  }

  /** Lets HBase free the blocks that have been read. */
  private void pause() throws IOException {
    if (previous != null) {
      previous = KeyValueUtil.copyToNewKeyValue(previous);
      further(rowOf(CellUtil.cloneRow(previous)));
    }
    postings.shipped();
    unpaused = 0;
  }

  private void end() throws IOException {
    ended = true;
    if (previous != null) {
      further(rowOf(CellUtil.cloneRow(previous)));
    }
    if (lasting && files.isPresent()) {
      memory.put(keys(), files.get(), new CountMemory.Counted(belief.index(), counted, last));
    }
  }

  private byte[] rowOf(byte[] posting) {
    return Arrays.copyOfRange(posting, span.rowAt(), posting.length);
  }

  private void further(byte[] row) {
    last = Arrays.compareUnsigned(row, last) > 0 ? row : last;
  }

  /** Certain postings so far; their number is final at the end. */
  public long counted() {
    return counted + (ended ? correction : 0);
  }

  /** Postings looked at so far. */
  public long read() {
    return read;
  }

  /** No row that was counted lies behind this one. */
  public byte[] last() {
    return last;
  }

  /** What is counted, in words. */
  public String access() {
    return wanted.access();
  }

  /** Where in a key the row begins. */
  public int rowAt() {
    return span.rowAt();
  }

  /** The key of the posting whose row is to be asked. */
  public byte[] key() {
    return key;
  }

  @Override
  public void close() {
    if (scanners != null) {
      scanners.close();
      scanners = null;
    }
  }
}
