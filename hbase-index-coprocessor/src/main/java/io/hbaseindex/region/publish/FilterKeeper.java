/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.publish;

import io.hbaseindex.core.filter.FilterGeometry;
import io.hbaseindex.core.filter.FilterImage;
import io.hbaseindex.core.publish.FilterLoading;
import io.hbaseindex.core.publish.FilterStoring;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.shard.ShardedLoading;
import io.hbaseindex.core.shard.ShardedRegion;
import io.hbaseindex.core.wire.StoredFilter;
import io.hbaseindex.core.wire.StoredFilterReader;
import io.hbaseindex.core.wire.StoredFilterWriter;
import io.hbaseindex.region.context.FilterCustody;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores a region's filter with its store files, and reads it when the region opens again.
 *
 * <p><b>What a stored filter holds.</b> Timestamps of postings rise, and a flush takes all that
 * were given before it. So the highest timestamp t in the files of the hidden family divides the
 * postings: every change up to t is in the files, and no other is. The filter is stored with t, and
 * has every posting that is live after its last change up to t. Who reads it adds the live postings
 * whose last change is later, which only the newest files and the memstore have. Ends of postings
 * are not taken out on the way: the filter may have them out already.
 *
 * <p><b>When.</b> A filter is written when the files that the next open would have to read for lack
 * of it take more bytes than the filter does, and when the region closes. So storing at most
 * doubles what is written for postings, and reading what is lacking takes no longer than reading
 * the filter.
 *
 * <p><b>Shards.</b> Where the filter is cut into shards, the filters of all shards are in one file.
 * It is of use only to a region that is cut into as many, wherever these are kept.
 *
 * <p>A filter that cannot be written is logged and counted, and tried again with the next flush
 * (L1). One that cannot be used is as if there were none.
 */
final class FilterKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(FilterKeeper.class);
  private static final int BUFFER_BYTES = 1 << 18;

  /** What became of the attempt to read a filter. */
  enum Outcome {
    LOADED,
    NO_MEMORY,
    UNUSABLE
  }

  /** The files of the hidden family. */
  interface PostingFiles {
    /** The highest timestamp in them; empty if there are none. */
    OptionalLong latest();

    /** Bytes of those files that hold postings later than a timestamp. */
    long bytesAfter(long timestamp);
  }

  /** What a filter is stored as. */
  record Identity(String name, long incarnation, FilterGeometry geometry) {}

  private final Identity identity;
  private final ShardedRegion region;
  private final PostingFiles postings;
  private final FilterFiles files;
  private final FilterCustody custody;
  private final LongSupplier ids;
  private final PublishMetrics metrics;
  private final AtomicBoolean filesChanged = new AtomicBoolean(true);
  private boolean tried;
  private boolean closed;

  /** A stored filter that cannot be used, as if there were none. */
  private volatile Optional<FilterCustody.Held> useless = Optional.empty();

  FilterKeeper(
      Identity identity,
      ShardedRegion region,
      PostingFiles postings,
      FilterFiles files,
      FilterCustody custody,
      LongSupplier ids,
      PublishMetrics metrics) {
    this.identity = identity;
    this.region = region;
    this.postings = postings;
    this.files = files;
    this.custody = custody;
    this.ids = ids;
    this.metrics = metrics;
  }

  // ---- storing ----

  /** A flush is about to begin, or seems to be. */
  void flushing() {
    region.rememberEnds();
  }

  /** Files were flushed or compacted. */
  void filesChanged() {
    filesChanged.set(true);
  }

  /** Whether files have changed, so that it may be worth it to store the filter. */
  synchronized boolean isDue() {
    return !closed && filesChanged.get() && region.filterBytes() > 0;
  }

  /** Stores the filter, if files have changed and it is worth it. */
  synchronized void storeIfDue() {
    if (!isDue()) {
      return;
    }
    filesChanged.set(false);
    try {
      OptionalLong through = postings.latest();
      if (through.isPresent() && isWorthIt()) {
        store(through.getAsLong());
      }
    } finally {
      region.forgetEnds();
    }
  }

  private boolean isWorthIt() {
    Optional<FilterCustody.Held> stored = usable();
    long through = stored.map(FilterCustody.Held::through).orElse(Long.MIN_VALUE);
    return postings.bytesAfter(through) > (stored.isEmpty() ? 0 : region.filterBytes());
  }

  private Optional<FilterCustody.Held> usable() {
    return custody.held().filter(held -> !useless.equals(Optional.of(held)));
  }

  /** The region is cut into shards anew: it is seen once more whether what is stored fits. */
  void cutAnew() {
    tried = false;
    filesChanged.set(true);
  }

  /**
   * The region has closed: all it ever wrote is in its files.
   *
   * @param latest the highest timestamp it has given to a posting
   */
  synchronized void closed(long latest) {
    closed = true;
    boolean changed = usable().map(FilterCustody.Held::through).orElse(Long.MIN_VALUE) < latest;
    if (changed && region.filterBytes() > 0) {
      store(latest);
    }
  }

  private void store(long through) {
    List<FilterStoring> storing = region.startStoring(through);
    if (storing.isEmpty()) {
      LOG.debug("{}: postings have ended since its files were written", identity.name());
      return;
    }
    long id = ids.getAsLong();
    try {
      OptionalLong bytes = write(id, through, storing);
      if (bytes.isEmpty()) {
        files.delete(id);
      } else if (custody.hold(new FilterCustody.Held(id, through))) {
        metrics.filterStored(bytes.getAsLong());
        files.retainOnly(id);
      }
    } catch (IOException | RuntimeException e) {
      metrics.filterNotStored();
      tidyUp("what was written of it", () -> files.delete(id));
      LOG.warn(
          "Cannot store the filter of {} in {}; it is tried again with the next flush. If the region"
              + " opens anew before that, the filter is built from its postings",
          identity.name(),
          files,
          e);
    }
  }

  private interface Tidying {
    void run() throws IOException;
  }

  /** What stays for want of this takes room, and goes with the next filter or the region. */
  private void tidyUp(String what, Tidying tidying) {
    try {
      tidying.run();
    } catch (IOException e) {
      LOG.debug("{}: cannot delete {}", identity.name(), what, e);
    }
  }

  /** Bytes that were written; empty if they are of no use, since there is another filter by now. */
  private OptionalLong write(long id, long through, List<FilterStoring> shards) throws IOException {
    long[] bytes = {-1};
    files.write(
        id,
        out -> {
          StoredFilterWriter writer = new StoredFilterWriter(out);
          boolean complete = true;
          for (int shard = 0; complete && shard < shards.size(); shard++) {
            FilterStoring storing = shards.get(shard);
            writer.head(
                new StoredFilter(
                    id,
                    identity.incarnation(),
                    shard,
                    shards.size(),
                    through,
                    storing.coverage().stream().map(StoredFilter.Index::of).toList(),
                    storing.outline()));
            complete = write(storing, writer);
          }
          bytes[0] = complete ? writer.bytes() : -1;
        });
    return bytes[0] < 0 ? OptionalLong.empty() : OptionalLong.of(bytes[0]);
  }

  private static boolean write(FilterStoring storing, StoredFilterWriter writer)
      throws IOException {
    writer.frequent(storing.frequent());
    for (var piece = storing.next(); piece.isPresent(); piece = storing.next()) {
      writer.piece(piece.get());
    }
    Optional<long[]> again = storing.ended();
    if (again.isPresent()) {
      writer.again(again.get());
      writer.bounds(storing.bounds());
      writer.end();
    }
    return again.isPresent();
  }

  // ---- loading ----

  /** Whether there is a stored filter that it has not been tried to read yet. */
  boolean hasStored() {
    return !tried && region.filterBytes() == 0 && usable().isPresent();
  }

  /**
   * Reads the stored filter and adds what it lacks, after {@link ShardedRegion#startLoading}.
   *
   * @param lacking feeds the live postings that were changed after a timestamp
   * @param wanted whether the filter is still wanted, and with this coverage
   */
  Outcome load(List<IndexCoverage> coverage, LaterPostings lacking, BooleanSupplier wanted) {
    FilterCustody.Held held = custody.held().orElseThrow();
    tried = true;
    useless = Optional.of(held);
    ShardedLoading loading = region.loading();
    try (InputStream in = new BufferedInputStream(files.open(held.id()), BUFFER_BYTES)) {
      if (!read(new StoredFilterReader(in), held, coverage, loading)) {
        tried = false;
        useless = Optional.empty();
        return Outcome.NO_MEMORY;
      }
      addLater(held.through(), lacking, loading, wanted);
      boolean used = wanted.getAsBoolean() && loading.complete(coverage);
      metrics.filterLoaded(used);
      // One that was stored at a close has not been durable before the ledger was.
      tidyUp("older filters", () -> files.retainOnly(held.id()));
      useless = Optional.of(held).filter(stored -> !used);
      return used ? Outcome.LOADED : Outcome.UNUSABLE;
    } catch (IOException | RuntimeException e) {
      metrics.filterLoaded(false);
      LOG.warn(
          "Cannot use the stored filter of {} in {}; it is built from its postings",
          identity.name(),
          files,
          e);
      return Outcome.UNUSABLE;
    } finally {
      loading.abandon();
      region.abandonRebuild();
    }
  }

  /** Reads the filters of all shards; false if there is no memory for them. */
  private boolean read(
      StoredFilterReader reader,
      FilterCustody.Held held,
      List<IndexCoverage> coverage,
      ShardedLoading loading)
      throws IOException {
    int shards = region.shards();
    for (int shard = 0; shard < shards; shard++) {
      StoredFilter head = reader.head();
      requireSame(head, held, shard, shards, coverage);
      Optional<FilterLoading> filter = loading.next(head.outline());
      if (filter.isEmpty()) {
        return false;
      }
      reader.rest(new Restoring(filter.get()));
    }
    reader.end();
    return true;
  }

  /** Feeds live postings that were changed after a timestamp. */
  interface LaterPostings {
    void feed(long timestamp, FilterUpkeep.ElementSink sink) throws IOException;
  }

  private void requireSame(
      StoredFilter head,
      FilterCustody.Held held,
      int shard,
      int shards,
      List<IndexCoverage> coverage) {
    boolean same =
        head.id() == held.id()
            && head.incarnation() == identity.incarnation()
            && head.shard() == shard
            && head.shards() == shards
            && head.through() == held.through()
            && head.outline().geometry().isLike(identity.geometry())
            && head.covers(coverage);
    if (!same) {
      throw new IllegalArgumentException(
          "It is another one, or was stored with other settings: " + head);
    }
  }

  private static void addLater(
      long timestamp, LaterPostings lacking, ShardedLoading loading, BooleanSupplier wanted)
      throws IOException {
    lacking.feed(
        timestamp,
        (read, bounds, elements) -> {
          loading.widen(bounds);
          loading.insert(elements);
          return wanted.getAsBoolean();
        });
  }

  private record Restoring(FilterLoading loading) implements StoredFilterReader.Sink {
    @Override
    public void frequent(FilterImage.Frequent frequent) throws IOException {
      if (!loading.restore(frequent)) {
        throw new IOException("There is no memory for its frequent elements");
      }
    }

    @Override
    public void piece(FilterImage.Piece piece) {
      loading.restore(piece);
    }

    @Override
    public void bounds(RegionBounds bounds) {
      loading.restore(bounds);
    }

    @Override
    public void again(long element) {
      loading.countAgain(element);
    }
  }
}
