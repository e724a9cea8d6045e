/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.scan.candidates;

import io.hbaseindex.common.query.RowOrder;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.IndexFamily;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.KeyRange;
import io.hbaseindex.core.entry.ValueBound;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.region.scan.plan.AccessPlan;
import io.hbaseindex.region.scan.plan.OrderedAccess;
import io.hbaseindex.region.scan.plan.PlanReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Opens the postings a plan names, as they are at the moment that the scan they are for shows. For
 * one scan only.
 */
@InterfaceAudience.Private
public final class CandidateOpener {
  /** Open scanners a scan may hold besides its own. */
  private static final int MAX_LOOKUPS = 64;

  private final OneMoment moment;
  private final IndexRowKeys keys;
  private final RowBounds bounds;
  private final boolean cacheBlocks;
  private final Certainty certainty;
  private final ScanTally tally;
  private final List<PostingCursor> lookups = new ArrayList<>();
  private boolean complete = true;

  public CandidateOpener(
      OneMoment moment, IndexRowKeys keys, Scan scan, Certainty certainty, ScanTally tally) {
    this.certainty = certainty;
    this.moment = moment;
    this.keys = keys;
    this.bounds = RowBounds.of(scan);
    this.cacheBlocks = scan.getCacheBlocks();
    this.tally = tally;
  }

  public Candidates open(AccessPlan plan, ScanLimits limits)
      throws IOException, TooManyCandidatesException {
    boolean opened = false;
    try {
      RowStream rows = stream(plan, SortBudget.of(limits));
      opened = true;
      return new Candidates(rows, lookups, complete);
    } finally {
      if (!opened) {
        CloseAll.close(lookups);
      }
    }
  }

  private RowStream stream(AccessPlan plan, SortBudget budget)
      throws IOException, TooManyCandidatesException {
    if (plan instanceof AccessPlan.Lookup lookup) {
      return lookup(lookup);
    }
    if (plan instanceof AccessPlan.Sweep sweep) {
      return sweep(sweep, budget);
    }
    if (plan instanceof AccessPlan.Union union) {
      List<RowStream> streams = new ArrayList<>();
      for (AccessPlan member : union.members()) {
        streams.add(stream(member, budget));
      }
      return new UnionStream(streams);
    }
    if (plan instanceof AccessPlan.Intersection intersection) {
      return intersection(intersection.members(), budget);
    }
    return new UnionStream(List.of());
  }

  private RowStream intersection(List<AccessPlan> members, SortBudget budget)
      throws IOException, TooManyCandidatesException {
    List<RowStream> streams = new ArrayList<>();
    TooManyCandidatesException tooMany = null;
    for (AccessPlan member : members) {
      try {
        streams.add(stream(member, streams.isEmpty() ? budget : budget.forNarrowing()));
      } catch (TooManyCandidatesException e) {
        tooMany = e;
        complete = false;
      }
    }
    if (streams.isEmpty()) {
      throw tooMany;
    }
    return streams.size() == 1 ? streams.get(0) : new IntersectionStream(streams);
  }

  private RowStream lookup(AccessPlan.Lookup lookup)
      throws IOException, TooManyCandidatesException {
    if (lookups.size() == MAX_LOOKUPS) {
      throw new TooManyCandidatesException(
          "Cannot use the index: the condition needed more than "
              + MAX_LOOKUPS
              + " lookups at once; simplify it");
    }
    KeyRange all = keys.equalTo(lookup.index().id(), lookup.values());
    byte[] beforeRow = all.start();
    byte[] stop = bounds.hasEnd() ? join(beforeRow, bounds.end()) : all.stop();
    // No posting has a longer key. A start that is cut sorts lower and does no harm; a stop that is
    // cut would exclude the posting that is just as long.
    boolean tooLong = stop.length > IndexRowKeys.MAX_ROW_KEY_LENGTH;
    PostingCursor postings =
        cursor(
            lookup.index(),
            cut(join(beforeRow, bounds.first())),
            tooLong ? all.stop() : stop,
            () -> PlanReport.text(lookup));
    lookups.add(postings);
    return new LookupStream(
        postings, beforeRow, tooLong ? Optional.of(bounds.end()) : Optional.empty());
  }

  /** The postings of a sweep as they are stored, unsorted; to be closed by the caller. */
  public RangePostings inValueOrder(AccessPlan.Sweep sweep) throws IOException {
    List<KeyRange> ranges = rangesOf(sweep);
    byte[] first = keys.ofIndex(sweep.index().id()).start();
    byte[] end = keys.ofIndex(sweep.index().id()).stop();
    if (!ranges.isEmpty()) {
      first = ranges.get(0).start();
      end = lastStop(ranges);
    }
    return new RangePostings(
        cursor(sweep.index(), first, end, () -> PlanReport.text(sweep)), bounds, ranges);
  }

  /**
   * The postings of a part of an index in the order of their values; to be closed by the caller.
   *
   * @param after a place before which none are wanted, of a value that keys hold whole; a few may
   *     come all the same
   */
  public RangePostings inValueOrder(
      OrderedAccess access, boolean descending, Optional<RowOrder.Place> after) throws IOException {
    int id = access.index().id();
    KeyRange range = rangeOf(id, access.leading(), access.range());
    byte[] start = range.start();
    byte[] stop = range.stop();
    if (after.isPresent() && !range.isEmpty()) {
      List<byte[]> values = new ArrayList<>(access.leading());
      values.add(access.formOf(after.get().value()));
      KeyRange alike = keys.equalTo(id, values);
      boolean byRow = !access.hasFurtherColumns();
      byte[] place = byRow ? join(alike.start(), after.get().row()) : alike.start();
      // As with lookups: a start that is cut does no harm, a stop that is cut would.
      boolean asStop = byRow && place.length <= IndexRowKeys.MAX_ROW_KEY_LENGTH;
      start = descending ? start : highest(start, cut(place));
      stop = descending ? lowest(stop, asStop ? place : alike.stop()) : stop;
    }
    boolean none = Arrays.compareUnsigned(start, stop) >= 0;
    return new RangePostings(
        cursor(
            access.index(),
            start,
            none ? start : stop,
            descending,
            () -> PlanReport.text(access, false)),
        bounds,
        none ? List.of() : List.of(range));
  }

  private static byte[] highest(byte[] first, byte[] second) {
    return Arrays.compareUnsigned(first, second) >= 0 ? first : second;
  }

  private static byte[] lowest(byte[] first, byte[] second) {
    return Arrays.compareUnsigned(first, second) <= 0 ? first : second;
  }

  private List<KeyRange> rangesOf(AccessPlan.Sweep sweep) {
    return sweep.slices().stream()
        .map(slice -> rangeOf(sweep.index(), slice))
        .filter(range -> !range.isEmpty())
        .sorted(Comparator.comparing(KeyRange::start, Arrays::compareUnsigned))
        .toList();
  }

  private static byte[] lastStop(List<KeyRange> ranges) {
    byte[] stop = ranges.get(0).stop();
    for (KeyRange range : ranges) {
      stop = Arrays.compareUnsigned(range.stop(), stop) > 0 ? range.stop() : stop;
    }
    return stop;
  }

  private RowStream sweep(AccessPlan.Sweep sweep, SortBudget budget)
      throws IOException, TooManyCandidatesException {
    List<KeyRange> ranges = rangesOf(sweep);
    if (ranges.isEmpty()) {
      return new UnionStream(List.of());
    }
    try (PostingCursor postings =
        cursor(
            sweep.index(), ranges.get(0).start(), lastStop(ranges), () -> PlanReport.text(sweep))) {
      PostingCollector collector = new PostingCollector(postings, bounds, budget);
      for (KeyRange range : ranges) {
        collector.collect(range);
      }
      return collector.sorted();
    }
  }

  private KeyRange rangeOf(IndexDefinition index, AccessPlan.Slice slice) {
    if (slice.next().isEmpty()) {
      return keys.equalTo(index.id(), slice.leading());
    }
    return rangeOf(index.id(), slice.leading(), slice.next().get());
  }

  private KeyRange rangeOf(int indexId, List<byte[]> leading, ValueRange range) {
    Optional<ValueBound> lower = Optional.of(ValueBound.inclusive(range.lower()));
    Optional<ValueBound> upper = range.upper().map(ValueBound::exclusive);
    return keys.between(indexId, leading, lower, upper);
  }

  private PostingCursor cursor(
      IndexDefinition index, byte[] start, byte[] stop, Supplier<String> access)
      throws IOException {
    return cursor(index, start, stop, false, access);
  }

  private PostingCursor cursor(
      IndexDefinition index, byte[] start, byte[] stop, boolean descending, Supplier<String> access)
      throws IOException {
    Scan scan =
        (descending
                ? new Scan().setReversed(true).withStartRow(stop, false).withStopRow(start, true)
                : new Scan().withStartRow(start).withStopRow(stop))
            .addFamily(IndexFamily.bytes())
            .readVersions(1)
            .setCacheBlocks(cacheBlocks)
            // Few postings per seek: a stream would read ahead what is jumped over.
            .setReadType(Scan.ReadType.PREAD);
    return new PostingCursor(moment, scan, keys, index, certainty, tally, access);
  }

  private static byte[] cut(byte[] key) {
    return key.length <= IndexRowKeys.MAX_ROW_KEY_LENGTH
        ? key
        : Arrays.copyOf(key, IndexRowKeys.MAX_ROW_KEY_LENGTH);
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }
}
