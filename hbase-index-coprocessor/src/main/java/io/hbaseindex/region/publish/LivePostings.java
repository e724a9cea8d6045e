/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.route.PostingBounds;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.region.context.PostingPages;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.metrics.IndexMetrics;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;

/** The elements of a region's live postings, read page by page. */
final class LivePostings implements FilterUpkeep.PostingScan, FilterKeeper.PostingFiles {
  private static final int PAGE = 5_000;

  private final HRegion region;
  private final IndexRowKeys keys;
  private final IntPredicate narrow;
  private final ElementReader elements;
  private final IndexMetrics metrics;

  /** Tells all elements of some postings. */
  interface ElementReader {
    long[] of(Collection<byte[]> indexRows);
  }

  /**
   * @param narrow tells by the id of an index whether ranges of it are routed
   */
  LivePostings(
      HRegion region,
      IndexRowKeys keys,
      IntPredicate narrow,
      ElementReader elements,
      IndexMetrics metrics) {
    this.region = region;
    this.keys = keys;
    this.narrow = narrow;
    this.elements = elements;
    this.metrics = metrics;
  }

  @Override
  public long expected() {
    Store hidden = hidden();
    long cells = hidden.getMemStoreSize().getCellsCount();
    for (StoreFile file : hidden.getStorefiles()) {
      if (file instanceof HStoreFile stored && stored.getReader() != null) {
        cells += stored.getReader().getEntries();
      }
    }
    return cells;
  }

  /**
   * Postings of a value lie side by side, so that a page shows how many rows share one. The first
   * page of each index stands for all of it. What rows with different first values share is counted
   * too often by that, which a filter that is complete knows better.
   */
  @Override
  public double elementsPerPosting(Iterable<Integer> indexIds) throws IOException {
    long read = 0;
    long distinct = 0;
    for (int indexId : indexIds) {
      PostingPages pages = new PostingPages(region, keys.ofIndex(indexId));
      PostingPages.Page page = pages.from(pages.first(), PAGE);
      read += page.read();
      distinct += LongStream.of(elements.of(page.live())).distinct().count();
    }
    return read == 0 ? 1 : (double) distinct / read;
  }

  /**
   * A batch that another coprocessor fails after it was written stays written, and ends without
   * having waited until it is visible: a write before it may still be under way, and may be for
   * long. A scan that does not see it would miss postings that no later write starts.
   */
  @Override
  public BooleanSupplier written() {
    MultiVersionConcurrencyControl mvcc = region.getMVCC();
    long last = mvcc.getWritePoint();
    return () -> mvcc.getReadPoint() >= last;
  }

  @Override
  public void feed(Iterable<Integer> indexIds, FilterUpkeep.ElementSink sink) throws IOException {
    feed(indexIds, sink, PostingPages::from);
  }

  @Override
  public void feedAfter(long timestamp, Iterable<Integer> indexIds, FilterUpkeep.ElementSink sink)
      throws IOException {
    feed(indexIds, sink, (pages, first, limit) -> pages.after(timestamp, first, limit));
  }

  private interface PageReader {
    PostingPages.Page read(PostingPages pages, byte[] first, int limit) throws IOException;
  }

  private void feed(Iterable<Integer> indexIds, FilterUpkeep.ElementSink sink, PageReader reader)
      throws IOException {
    for (int indexId : indexIds) {
      PostingPages pages = new PostingPages(region, keys.ofIndex(indexId));
      Optional<byte[]> next = Optional.of(pages.first());
      while (next.isPresent()) {
        PostingPages.Page page = reader.read(pages, next.get(), PAGE);
        metrics.add(IndexCounter.FILTER_POSTINGS_READ, page.read());
        RegionBounds bounds = PostingBounds.of(keys, narrow, page.live());
        if (!sink.take(page.live().size(), bounds, elements.of(page.live()))) {
          return;
        }
        next = page.next();
      }
    }
  }

  @Override
  public OptionalLong latest() {
    return PostingPages.latestInFiles(hidden());
  }

  @Override
  public long bytesAfter(long timestamp) {
    long bytes = 0;
    for (StoreFile file : hidden().getStorefiles()) {
      boolean later = file.getMaximumTimestamp().orElse(Long.MAX_VALUE) > timestamp;
      if (later && file instanceof HStoreFile stored && stored.getReader() != null) {
        bytes += stored.getReader().length();
      }
    }
    return bytes;
  }

  private Store hidden() {
    return region.getStores().stream().filter(LivePostings::isHidden).findFirst().get();
  }

  private static boolean isHidden(Store store) {
    return IndexFamily.is(store.getColumnFamilyDescriptor().getName());
  }
}
