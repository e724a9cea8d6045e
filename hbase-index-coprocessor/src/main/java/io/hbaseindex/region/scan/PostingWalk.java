/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.KeyTooLongException;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.region.metrics.IndexCounter;
import io.hbaseindex.region.scan.candidates.CertainPosting;
import io.hbaseindex.region.scan.candidates.RangePostings;
import io.hbaseindex.region.scan.candidates.ScanTally;
import io.hbaseindex.region.scan.count.SpanCount;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.PackagePrivateFieldAccessor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the rows of a range of values by going over the postings of one index as they are stored,
 * by value and then by row. Nothing is sorted, so a range of any size takes no memory.
 *
 * <p>A certain posting is counted; a row has no more than one. For any other the row is read, and
 * counted if it shows exactly the posting's values: another live posting of the row, of a value
 * that it does not show, is not counted then.
 *
 * <p>Of a single value only the number may be wanted. Then certain postings are not even looked at
 * one by one here ({@link SpanCount}).
 *
 * <p>The order of values is not that of rows, so a client that loses its region in the middle could
 * not go on from a row. All is told at the end, or nothing: the walk is given up if too many rows
 * have to be read, or if groups take too much memory, and the region counted in row order instead.
 */
final class PostingWalk implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(PostingWalk.class);

  /** Work per call. */
  private static final int STEP = 2_000;

  /** Work per call where nothing but the number of postings is wanted. */
  private static final int LONG_STEP = 20_000;

  /** Work per call: rows that are read. */
  private static final int ROWS_PER_STEP = 100;

  /** A walk that has read so many rows asks whether that pays. */
  private static final int MANY_ASKED = 500;

  /**
   * As above, of one value: its rows come in their order, which HBase's own scanner reads faster.
   */
  private static final int MANY_ASKED_OF_ONE_VALUE = 50;

  /** Of so many postings one may need its row: reading rows in any order is slow. */
  private static final int POSTINGS_PER_ASKED = 8;

  private static final long MAX_GROUP_BYTES = 16L << 20;

  /** What a step has come to. */
  enum Outcome {
    MORE,
    DONE,
    GIVEN_UP
  }

  /** Opens the postings, at the read point of the scan. */
  interface Opener {
    /** Empty if they cannot be used now. */
    Optional<RangePostings> open() throws IOException;
  }

  private final Region region;
  private final IndexRowKeys keys;
  private final IndexDefinition index;
  private final RowPredicate predicate;
  private final Scan scan;
  private final long readPoint;
  private final Opener opener;
  private final ScanTally tallied;
  private final Optional<SpanCount> ofOneValue;
  private RangePostings postings;
  private long counted;
  private long toldOfPostings;
  private long asked;
  private byte[] furthest = {};

  /**
   * @param predicate all that the rows have to meet
   * @param scan the scan that is answered
   * @param tallied what the postings are counted with as they are read
   * @param ofOneValue counts the postings in place of the opener, if their number is all that is
   *     wanted
   */
  PostingWalk(
      Region region,
      IndexRowKeys keys,
      IndexDefinition index,
      RowPredicate predicate,
      Scan scan,
      long readPoint,
      ScanTally tallied,
      Opener opener,
      Optional<SpanCount> ofOneValue) {
    this.region = region;
    this.keys = keys;
    this.index = index;
    this.predicate = predicate;
    this.scan = scan;
    this.readPoint = readPoint;
    this.tallied = tallied;
    this.opener = opener;
    this.ofOneValue = ofOneValue;
  }

  /** Goes over some thousand postings. */
  Outcome step(RowTally tally) throws InterruptedIOException {
    try {
      return ofOneValue.isPresent() ? longStep(ofOneValue.get(), tally) : tryStep(tally);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("{} is counted row by row: its postings could not be read", region, e);
      return Outcome.GIVEN_UP;
    } finally {
      tallied.flush();
    }
  }

  private Outcome longStep(SpanCount postings, RowTally tally) throws IOException {
    SpanCount.Step step = SpanCount.Step.ASK;
    for (int rows = 0; step == SpanCount.Step.ASK && rows < ROWS_PER_STEP; rows++) {
      step = postings.next(LONG_STEP);
      if (step == SpanCount.Step.ASK) {
        byte[] key = postings.key();
        byte[] row = Arrays.copyOfRange(key, postings.rowAt(), key.length);
        if (ask(key, row, tally)) {
          reached(row);
        }
      }
    }
    tallied.count(IndexCounter.POSTINGS_READ, postings.read() - toldOfPostings);
    toldOfPostings = postings.read();
    if (step == SpanCount.Step.NOT_READY
        || isTooMany(MANY_ASKED_OF_ONE_VALUE, postings.counted())) {
      return Outcome.GIVEN_UP;
    }
    if (step != SpanCount.Step.END) {
      return Outcome.MORE;
    }
    tallied.live(postings.counted() + asked, postings.access());
    reached(postings.last());
    tally.answered(postings.counted());
    tally.upTo(furthest);
    return Outcome.DONE;
  }

  private boolean isTooMany(int many, long certain) {
    return asked > many && asked > (certain + asked) / POSTINGS_PER_ASKED;
  }

  private Outcome tryStep(RowTally tally) throws IOException {
    if (postings == null) {
      Optional<RangePostings> opened = opener.open();
      if (opened.isEmpty()) {
        return Outcome.GIVEN_UP;
      }
      postings = opened.get();
    }
    for (int read = 0; read < STEP && !tally.isEnough(); read++) {
      RangePostings.Step step = postings.next();
      if (step == RangePostings.Step.END) {
        tally.upTo(furthest);
        return Outcome.DONE;
      }
      if (step == RangePostings.Step.POSTING) {
        count(tally);
      }
      if (isTooMany(MANY_ASKED, counted - asked) || tally.groupBytes() > MAX_GROUP_BYTES) {
        return Outcome.GIVEN_UP;
      }
    }
    tally.upTo(furthest);
    return Outcome.MORE;
  }

  private void count(RowTally tally) throws IOException {
    byte[] key = postings.key();
    byte[] row = Arrays.copyOfRange(key, postings.rowOffset(), key.length);
    counted++;
    boolean answered =
        postings.isCertain()
            && tally.answered(row, List.of(new CertainPosting(key, postings.value())));
    if (answered || ask(key, row, tally)) {
      reached(row);
    }
  }

  /** Reads the row of a posting; returns whether it was counted. */
  private boolean ask(byte[] key, byte[] row, RowTally tally) throws IOException {
    asked++;
    List<Cell> cells = read(row);
    boolean counts = !cells.isEmpty() && shows(key, Result.create(cells));
    if (counts) {
      tally.read(cells.stream().filter(this::isWanted).toList());
    }
    return counts;
  }

  private void reached(byte[] row) {
    furthest = Arrays.compareUnsigned(row, furthest) > 0 ? row : furthest;
  }

  /**
   * What an ordinary scan shows of a row, in the families of the scan and of the index. They are
   * read whole: HBase overlooks markers of a family behind a column that is asked for by an empty
   * name.
   */
  private List<Cell> read(byte[] row) throws IOException {
    Scan one = new Scan().withStartRow(row, true).withStopRow(row, true);
    if (scan.hasFamilies()) {
      scan.getFamilyMap().keySet().forEach(one::addFamily);
      index.columns().forEach(column -> one.addFamily(column.family()));
    }
    one.setCacheBlocks(scan.getCacheBlocks());
    PackagePrivateFieldAccessor.setMvccReadPoint(one, readPoint);
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(one)) {
      scanner.next(cells);
    }
    return cells;
  }

  /** Whether the scan reads the cell's column: nothing is told of others. */
  private boolean isWanted(Cell cell) {
    NavigableSet<byte[]> qualifiers = scan.getFamilyMap().get(CellUtil.cloneFamily(cell));
    boolean whole =
        !scan.hasFamilies()
            || scan.getFamilyMap().containsKey(CellUtil.cloneFamily(cell)) && qualifiers == null;
    return whole || qualifiers != null && qualifiers.contains(CellUtil.cloneQualifier(cell));
  }

  private boolean shows(byte[] key, Result row) {
    List<byte[]> values = new ArrayList<>();
    for (ColumnRef column : index.columns()) {
      values.add(row.getValue(column.family(), column.qualifier()));
    }
    try {
      return values.get(0) != null
          && Bytes.equals(key, keys.key(index, values, row.getRow()))
          && predicate.test(column -> row.getValue(column.family(), column.qualifier()));
    } catch (KeyTooLongException e) {
      return false; // no posting is as long
    }
  }

  @Override
  public void close() throws IOException {
    ofOneValue.ifPresent(SpanCount::close);
    if (postings != null) {
      postings.close();
      postings = null;
    }
  }
}
