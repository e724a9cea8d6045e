/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.context;

import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.KeyRange;
import io.hbaseindex.core.entry.MalformedPostingException;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.yetus.audience.InterfaceAudience;

/** Lists the live postings of a region and incarnation, a page at a time. */
@InterfaceAudience.Private
public final class PostingPages {

  private static final byte[] HIDDEN = IndexFamily.bytes();

  private final Region region;
  private final KeyRange range;

  public PostingPages(Region region, KeyRange range) {
    this.region = region;
    this.range = range;
  }

  /**
   * @param live keys of live postings, in order
   * @param certain those of them that answer for their rows, with all that it takes to judge that
   * @param read postings that were read for it, live and dead
   * @param next where the following page begins; empty when there is none
   */
  public record Page(List<byte[]> live, List<Certain> certain, int read, Optional<byte[]> next) {}

  /**
   * A posting that answers for its row.
   *
   * @param key its key
   * @param timestamp when it was written, by the clock of the region's postings
   * @param until up to which time it does
   * @param value the value of its cell, with the cells that it carries
   */
  public record Certain(byte[] key, long timestamp, long until, byte[] value) {}

  public byte[] first() {
    return range.start();
  }

  /** What the next {@code limit} postings from {@code first} on hold. */
  public Page from(byte[] first, int limit) throws IOException {
    return read(first, limit, scan -> scan);
  }

  /** The same as of a read point, which the caller keeps from being forgotten. */
  public Page at(long readPoint, byte[] first, int limit) throws IOException {
    return read(
        first,
        limit,
        scan -> {
          PackagePrivateFieldAccessor.setMvccReadPoint(scan, readPoint);
          return scan;
        });
  }

  /**
   * The same of those postings only whose last change is later than a timestamp. Store files that
   * hold nothing so late are not read.
   */
  public Page after(long timestamp, byte[] first, int limit) throws IOException {
    return read(
        first,
        limit,
        scan -> {
          try {
            return scan.setTimeRange(timestamp + 1, Long.MAX_VALUE);
          } catch (IOException e) {
            throw new IllegalArgumentException("Cannot read postings after " + timestamp, e);
          }
        });
  }

  /**
   * The highest timestamp in the store files of the hidden family. A file that a compaction has
   * left without a cell does not count: HBase says of it that its timestamps have no end.
   */
  public static OptionalLong latestInFiles(Store hidden) {
    return hidden.getStorefiles().stream()
        .filter(PostingPages::hasCells)
        .map(StoreFile::getMaximumTimestamp)
        .flatMapToLong(OptionalLong::stream)
        .max();
  }

  private static boolean hasCells(StoreFile file) {
    return !(file instanceof HStoreFile stored)
        || stored.getReader() == null
        || stored.getReader().getEntries() > 0;
  }

  private Page read(byte[] first, int limit, UnaryOperator<Scan> settings) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(first)
            .withStopRow(range.stop())
            .addFamily(HIDDEN)
            .setCacheBlocks(false);
    List<byte[]> live = new ArrayList<>();
    List<Certain> certain = new ArrayList<>();
    byte[] last = null;
    int read = 0;
    boolean more = true;
    try (RegionScanner scanner = region.getScanner(settings.apply(scan))) {
      List<Cell> cells = new ArrayList<>();
      while (more && read < limit) {
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          read++;
          last = CellUtil.cloneRow(cells.get(0));
          if (isLive(cells.get(0))) {
            live.add(last);
            addIfCertain(last, cells.get(0), certain);
          }
          cells.clear();
        }
      }
    }
    return new Page(
        live,
        certain,
        read,
        more ? Optional.of(Arrays.copyOf(last, last.length + 1)) : Optional.empty());
  }

  /** A posting that cannot be read counts for nothing here; scans say that it cannot be read. */
  private static boolean isLive(Cell cell) {
    try {
      return PostingState.parse(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
          == PostingState.LIVE;
    } catch (MalformedPostingException e) {
      return false;
    }
  }

  private static void addIfCertain(byte[] key, Cell cell, List<Certain> certain) {
    long until =
        PostingCertainty.until(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (until != PostingCertainty.NEVER) {
      certain.add(new Certain(key, cell.getTimestamp(), until, CellUtil.cloneValue(cell)));
    }
  }
}
