/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.KeyTooLongException;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingForm;
import io.hbaseindex.core.predicate.IndexScope;
import io.hbaseindex.region.context.PrintableRow;
import io.hbaseindex.region.write.plan.ColumnVersions.CertainCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells which postings one index has to have for a row, from what is stored of the row. A pure
 * function, and the only place that knows: writers, builder, checker and stale worker ask it and so
 * cannot disagree.
 *
 * <p>An index of one column has a posting for every showable value. An index of several has one for
 * every combination of showable values, where absence counts as one more value of a column that is
 * absent now, or whose visible value a flush or compaction may drop.
 *
 * <p>A partial index has them only for rows that can meet its condition: where a column of the
 * index is part of the condition, for values that it allows; where another column is, if that can
 * show a value that it allows.
 *
 * <p>A lazy index of one column is written blindly. It cannot know when a put above changes what
 * the puts below can show, so it keeps a posting for every value that is stored and not gone for
 * good. What a marker of the column hides is not: puts above it, which nobody counts, may have the
 * marker dropped before what it hides.
 */
@InterfaceAudience.Private
public final class RowPostings {
  /**
   * How many postings one index may need for one row. More than one takes puts that delete markers
   * hide, or a lazy index; a row that has collected so many of them is told to be compacted first.
   *
   * <p>An index that is written blindly knows no such limit: nobody counts while it is written, and
   * it has no more postings than there are stored puts.
   */
  static final int MAX_PER_ROW = 1024;

  private final IndexDefinition definition;
  private final IndexRowKeys keys;
  private final int[] columns;

  /** The columns, then the included ones, then others of the condition. */
  private final int[] allColumns;

  private final List<ColumnRef> references;
  private final IndexScope scope;

  /** Which of all columns the condition is about. */
  private final boolean[] scoped;

  /** Where among all columns those of the condition are that are not the index's own. */
  private final int[] asked;

  private final Retention[] retentions;
  private final boolean expires;

  /**
   * @param retentions of each column of {@code columns}
   */
  public RowPostings(
      IndexDefinition definition,
      IndexRowKeys keys,
      IndexedColumns columns,
      List<Retention> retentions) {
    this.definition = definition;
    this.keys = keys;
    this.columns = definition.columns().stream().mapToInt(columns::numberOf).toArray();
    this.references = definition.allColumns();
    this.allColumns = references.stream().mapToInt(columns::numberOf).toArray();
    this.scope = IndexScope.of(definition.condition());
    this.scoped = new boolean[allColumns.length];
    for (int position = 0; position < scoped.length; position++) {
      scoped[position] = scope.concerns(references.get(position));
    }
    this.asked =
        IntStream.range(this.columns.length, scoped.length).filter(p -> scoped[p]).toArray();
    this.retentions = Arrays.stream(allColumns).mapToObj(retentions::get).toArray(Retention[]::new);
    this.expires = Arrays.stream(this.retentions).anyMatch(Retention::expires);
  }

  /** Whether puts to this index need no look at what is stored. */
  boolean isBlind() {
    return !definition.isEager() && columns.length == 1 && asked.length == 0;
  }

  public IndexDefinition definition() {
    return definition;
  }

  /** The numbers of the index's columns; not to be changed. */
  public int[] columns() {
    return columns;
  }

  /** The numbers of all columns that the postings depend on; not to be changed. */
  public int[] allColumns() {
    return allColumns;
  }

  /**
   * The keys of the postings the row has to have, in order and each once.
   *
   * @throws UnindexableRowException if they cannot be written
   */
  public List<byte[]> of(byte[] row, RowVersions versions, long now)
      throws UnindexableRowException {
    return of(row, versions, now, true);
  }

  /**
   * As {@link #of}, without those whose key would be too long: they cannot have been written. Where
   * postings are to be ended they must not be in the way, or such a row could not be deleted.
   */
  List<byte[]> writable(byte[] row, RowVersions versions, long now) throws UnindexableRowException {
    return of(row, versions, now, false);
  }

  private List<byte[]> of(byte[] row, RowVersions versions, long now, boolean all)
      throws UnindexableRowException {
    List<byte[]> firsts = allowed(0, showable(0, versions, now).values());
    if (firsts.isEmpty() || !canMeetCondition(versions, now)) {
      return List.of();
    }
    if (firsts.size() == 1 && columns.length == 1) {
      return key(row, firsts, all).map(List::of).orElse(List.of());
    }
    SortedSet<byte[]> result = new TreeSet<>(Arrays::compareUnsigned);
    for (byte[] first : firsts) {
      List<byte[]> values = new ArrayList<>(columns.length);
      values.add(first);
      combine(row, versions, now, all, values, result);
    }
    return List.copyOf(result);
  }

  /** Whether the row can show, in columns that are not the index's own, what the condition asks. */
  private boolean canMeetCondition(RowVersions versions, long now) {
    for (int position : asked) {
      if (allowed(position, showable(position, versions, now).values()).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Those of some values of a column that the condition allows; null stands for absence. */
  private List<byte[]> allowed(int position, List<byte[]> values) {
    if (!scoped[position]) {
      return values;
    }
    List<byte[]> allowed = new ArrayList<>(values);
    allowed.removeIf(value -> !isAllowed(position, value));
    return allowed;
  }

  private boolean isAllowed(int position, byte[] value) {
    return scope.allows(references.get(position), value);
  }

  /** Those of some values put to the only column of a blind index that it has postings of. */
  List<byte[]> allowed(List<byte[]> values) {
    return allowed(0, values);
  }

  /** Whether a list that {@link #of} has made holds the key. */
  static boolean contains(List<byte[]> keys, byte[] key) {
    return Collections.binarySearch(keys, key, Arrays::compareUnsigned) >= 0;
  }

  /**
   * Whether some of the postings are for values that readers do not see now. A lazy index of one
   * column says no: it has such postings all the time.
   */
  boolean hasHidden(RowVersions versions, long now) {
    for (int i = 0; i < allColumns.length && !isBlind(); i++) {
      ColumnVersions column = versions.column(allColumns[i]);
      boolean decides = i < columns.length || scoped[i];
      if (decides
          && column != null
          && column.hidesValues(retentions[i].oldestUnexpired(now), retentions[i].maxVersions())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Up to which time the row shows for certain what its only posting in this index says; {@link
   * PostingCertainty#NEVER} if the row has to be asked. If it is certain of all columns, the row
   * has one posting and no other. It has to be certain, too, that the row meets the condition.
   *
   * <p>A lazy index is never certain: a write does not end what it makes untrue.
   */
  public long certainUntil(RowVersions versions, long now) {
    if (!definition.isEager()) {
      return PostingCertainty.NEVER;
    }
    long until = PostingCertainty.UNTIL_WRITTEN;
    for (int i = 0; i < columns.length; i++) {
      ColumnVersions column = versions.column(columns[i]);
      if (column != null) {
        until = Math.min(until, column.certainUntil(retentions[i], definition.types().get(i), now));
      }
    }
    for (int i : asked) {
      ColumnVersions column = versions.column(allColumns[i]);
      until =
          column == null
              ? PostingCertainty.NEVER
              : Math.min(until, column.certainUntil(retentions[i], value -> isAllowed(i, value)));
    }
    return until;
  }

  /**
   * Whether the posting that the row calls for has been live since the last write of the row, and
   * no other is called for: nothing but a write changes it. So where every row has the postings it
   * calls for, this one is live. Where values expire, another one may have taken its place without
   * a write.
   */
  boolean isLasting(RowVersions versions, long now) {
    return !expires && certainUntil(versions, now) == PostingCertainty.UNTIL_WRITTEN;
  }

  /**
   * The value of the row's live postings in this index: up to which time they are certain, and if
   * they are, the cells that they carry.
   */
  byte[] liveValue(RowVersions versions, long now) {
    long certain = certainUntil(versions, now);
    if (certain == PostingCertainty.NEVER || !definition.carriesCells()) {
      return PostingCertainty.live(certain);
    }
    return carried(versions, now)
        .map(cells -> PostingCertainty.live(certain, cells))
        .orElseGet(() -> PostingCertainty.live(certain));
  }

  /**
   * What an ordinary scan shows of the row in the columns of the index and in those that it
   * includes; empty if the row has to be asked, or the values are too long.
   */
  public Optional<CarriedCells> carried(RowVersions versions, long now) {
    long until = PostingCertainty.UNTIL_WRITTEN;
    List<Long> timestamps = new ArrayList<>(columns.length);
    int held = columns.length + definition.included().size();
    List<CarriedCells.Cell> included = new ArrayList<>(held - columns.length);
    for (int i = 0; i < held; i++) {
      ColumnVersions column = versions.column(allColumns[i]);
      Optional<CertainCell> shown =
          column == null
              ? Optional.of(CertainCell.NOTHING)
              : column.certainCell(retentions[i], now);
      if (shown.isEmpty()) {
        return Optional.empty();
      }
      until = Math.min(until, shown.get().until());
      Version put = shown.get().put();
      if (i < columns.length) {
        timestamps.add(put == null ? 0 : put.timestamp());
      } else {
        included.add(put == null ? null : new CarriedCells.Cell(put.timestamp(), put.value()));
      }
    }
    return until < now
        ? Optional.empty()
        : Optional.of(new CarriedCells(until, timestamps, included)).filter(CarriedCells::fit);
  }

  private void combine(
      byte[] row,
      RowVersions versions,
      long now,
      boolean all,
      List<byte[]> values,
      SortedSet<byte[]> result)
      throws UnindexableRowException {
    if (values.size() == columns.length) {
      key(row, values, all).ifPresent(result::add);
      if (result.size() > MAX_PER_ROW && !isBlind()) {
        throw new TooManyPostingsException(
            "Cannot index row %s in index %s: it needs more than %d postings because of old versions that may show again; flush and major-compact the region and try again, or keep fewer VERSIONS, or drop the index"
                .formatted(PrintableRow.of(row), definition.name(), MAX_PER_ROW));
      }
      return;
    }
    int position = values.size();
    for (byte[] next : allowed(position, showable(position, versions, now).valuesOrAbsence())) {
      values.add(next);
      combine(row, versions, now, all, values, result);
      values.remove(values.size() - 1);
    }
  }

  /** Whether a posting is of a cell that is no value of its column's type. */
  boolean isUndecoded(byte[] key) {
    if (!definition.hasTypes()) {
      return false;
    }
    List<byte[]> cells = keys.cells(key, definition);
    return IntStream.range(0, cells.size())
        .anyMatch(i -> PostingForm.isOther(definition.types().get(i), cells.get(i)));
  }

  /** The key of one posting. */
  byte[] key(byte[] row, List<byte[]> values) throws UnindexableRowException {
    return key(row, values, true).orElseThrow();
  }

  /** The key of one posting; empty if it is too long and that is allowed. */
  private Optional<byte[]> key(byte[] row, List<byte[]> values, boolean required)
      throws UnindexableRowException {
    try {
      return Optional.of(keys.key(definition, values, row));
    } catch (KeyTooLongException e) {
      if (!required) {
        return Optional.empty();
      }
      ColumnRef first = definition.columns().get(0);
      throw new UnindexableRowException(
          "Cannot index row %s in index %s on %s: %s; shorten the row key"
              .formatted(PrintableRow.of(row), definition.name(), first, e.getMessage()),
          e);
    }
  }

  private ShowableValues showable(int position, RowVersions versions, long now) {
    ColumnVersions column = versions.column(allColumns[position]);
    if (column == null) {
      return ShowableValues.NONE;
    }
    long oldestUnexpired = retentions[position].oldestUnexpired(now);
    return isBlind()
        ? column.stored(oldestUnexpired)
        : column.showable(oldestUnexpired, retentions[position].maxVersions());
  }
}
