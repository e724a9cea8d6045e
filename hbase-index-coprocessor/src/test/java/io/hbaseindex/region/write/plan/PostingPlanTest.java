/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.region.metrics.WriteRefusal;
import io.hbaseindex.region.write.plan.Version.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What each kind of mutation does to the postings of a row, without a cluster. */
class PostingPlanTest {
  private static final byte[] ROW = {'r'};
  private static final int A = 0;
  private static final int B = 1;
  private static final long NOW = 1_000;
  private static final IndexDefinition EAGER = IndexDefinition.on("f", "a").named("one").eager();
  private static final IndexDefinition LAZY = IndexDefinition.on("f", "a").named("one").lazy();
  private static final IndexDefinition BOTH =
      IndexDefinition.on("f", "a").and("f", "b").named("both").eager();

  private final IndexRowKeys keys =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[] {1}).orElseThrow();
  private final List<Stored> stored = new ArrayList<>();
  private Retention retention = new Retention(3, Long.MAX_VALUE);

  /** What a cell of column A or B, or of the whole family, says. */
  private record Stored(int column, Version version) {}

  @Test
  void put_newRow_addsALivePosting() throws Exception {
    assertThat(plan(EAGER, put("x", 5))).containsExactly("live x");
  }

  @Test
  void put_newerThanStored_endsTheOld() throws Exception {
    stored(put("old", 5), 1);

    assertThat(plan(EAGER, put("new", 6))).containsExactly("dead old", "live new");
  }

  @Test
  void put_olderThanStored_keepsTheStoredOne() throws Exception {
    stored(put("stored", 5), 1);

    assertThat(plan(EAGER, put("late", 4))).containsExactly("live stored");
  }

  @Test
  void put_sameTimestampAsStored_laterWriteWins() throws Exception {
    stored(put("old", 5), 1);

    assertThat(plan(EAGER, put("new", 5))).containsExactly("dead old", "live new");
  }

  @Test
  void put_futureTimestampStored_keepsTheStoredOne() throws Exception {
    stored(put("future", NOW * 2), 1);

    assertThat(plan(EAGER, put("now", NOW))).containsExactly("live future");
  }

  @Test
  void P2_put_unchangedValue_writesTheLivePostingAgain() throws Exception {
    stored(put("same", 5), 1);

    assertThat(plan(EAGER, put("same", 6))).containsExactly("live same");
  }

  @Test
  void put_severalOfOneTimestampInOneBatch_lastOneCounts() throws Exception {
    assertThat(plan(EAGER, put("a", 5), put("b", 5), put("c", 5))).containsExactly("live c");
  }

  @Test
  void put_severalTimestampsInOneBatch_newestCounts() throws Exception {
    stored(put("stored", 1), 1);

    assertThat(plan(EAGER, put("a", 9), put("b", 5))).containsExactly("dead stored", "live a");
  }

  @Test
  void deleteFamily_upToNow_endsEverything() throws Exception {
    stored(put("x", 5), 1);

    assertThat(plan(EAGER, marker(Kind.DELETE_FAMILY, 9))).containsExactly("dead x");
  }

  @Test
  void deleteColumn_belowTheVisibleVersion_leavesIt() throws Exception {
    stored(put("old", 3), 1);
    stored(put("new", 7), 2);

    assertThat(plan(EAGER, marker(Kind.DELETE_COLUMN, 5))).containsExactly("live new");
  }

  @Test
  void deleteVersion_ofTheVisibleOne_exposesTheOlder() throws Exception {
    stored(put("old", 3), 1);
    stored(put("new", 7), 2);

    assertThat(plan(EAGER, marker(Kind.DELETE_VERSION, 7))).containsExactly("dead new", "live old");
  }

  @Test
  void deleteFamilyVersion_ofTheVisibleOne_exposesTheOlder() throws Exception {
    stored(put("old", 3), 1);
    stored(put("new", 7), 2);

    assertThat(plan(EAGER, marker(Kind.DELETE_FAMILY_VERSION, 7)))
        .containsExactly("dead new", "live old");
  }

  @Test
  void deleteVersion_thatIsNotThere_changesNothing() throws Exception {
    stored(put("x", 5), 1);

    assertThat(plan(EAGER, marker(Kind.DELETE_VERSION, 4))).containsExactly("live x");
  }

  @Test
  void deleteAndPut_inOneBatch_markerHidesThePutForGood() throws Exception {
    stored(put("old", 3), 1);

    assertThat(plan(EAGER, put("x", 5), marker(Kind.DELETE_COLUMN, 5))).containsExactly("dead old");
    assertThat(plan(EAGER, marker(Kind.DELETE_COLUMN, 5), put("x", 5))).containsExactly("dead old");
    assertThat(plan(EAGER, marker(Kind.DELETE_COLUMN, 5), put("x", 6)))
        .containsExactly("dead old", "live x");
  }

  @Test
  void P3_put_behindAnEarlierMarker_getsItsPosting() throws Exception {
    stored(marker(Kind.DELETE_COLUMN, 10), 1);

    assertThat(plan(EAGER, put("masked", 5))).containsExactly("live masked");
  }

  @Test
  void P3_put_visibleAboveAMaskedOne_keepsTheMaskedIfNewer() throws Exception {
    stored(put("visible", 3), 1);
    stored(marker(Kind.DELETE_VERSION, 7), 2);

    assertThat(plan(EAGER, put("masked", 7))).containsExactly("live masked", "live visible");
  }

  @Test
  void P3_deleteColumn_overAMaskedPut_endsItForGood() throws Exception {
    stored(marker(Kind.DELETE_COLUMN, 10), 1);
    stored(put("masked", 5), 2);

    assertThat(plan(EAGER, marker(Kind.DELETE_COLUMN, 11))).containsExactly("dead masked");
  }

  @Test
  void P3_hasHidden_onlyWhileAMarkerHidesAPutThatMayShow() throws Exception {
    assertThat(hides(put("visible", 5))).isFalse();

    stored(marker(Kind.DELETE_COLUMN, 10), 1);
    assertThat(hides(put("visible", 11))).as("nothing behind the marker").isFalse();
    assertThat(hides(put("masked", 5))).isTrue();

    stored(put("masked", 5), 2);
    assertThat(hides(put("newer", 6))).isTrue();
    assertThat(hides(marker(Kind.DELETE_COLUMN, 11))).as("gone for good").isFalse();
  }

  private boolean hides(Stored... batch) throws UnindexableRowException {
    PostingPlan plan = new PostingPlan();
    plan.add(postings(EAGER), change(batch), versions(), NOW);
    return plan.hasHidden();
  }

  @Test
  void P3_deleteColumn_overAPutOfErasedSequence_endsIt() throws Exception {
    stored(put("old", 5), 0);

    assertThat(plan(EAGER, marker(Kind.DELETE_COLUMN, 10))).containsExactly("dead old");
    stored(marker(Kind.DELETE_COLUMN, 10), 7);
    assertThat(setRight(EAGER, "old")).containsExactly("dead old");
  }

  @Test
  void P3_put_behindAMarkerOfErasedSequence_keepsItsPosting() throws Exception {
    stored(marker(Kind.DELETE_COLUMN, 10), 0);
    stored(put("masked", 5), 7);

    assertThat(setRight(EAGER, "masked")).isEmpty();
  }

  @Test
  void P3_put_orderErasedByCompaction_countsAsShowable() throws Exception {
    stored(marker(Kind.DELETE_COLUMN, 10), 0);
    stored(put("unknown", 5), 0);

    assertThat(plan(EAGER, put("new", 4))).containsExactly("live new", "live unknown");
  }

  @Test
  void P3_deleteVersion_oneVersionKept_everyOlderStoredPutMayShow() throws Exception {
    // A compaction of the files of "b" and "c" keeps "c" only; "a", in another file, comes up.
    retention = new Retention(1, Long.MAX_VALUE);
    stored(put("a", 1), 1);
    stored(put("b", 2), 2);
    stored(put("c", 3), 3);

    assertThat(plan(EAGER, marker(Kind.DELETE_VERSION, 3)))
        .containsExactly("dead c", "live a", "live b");
  }

  @Test
  void P3_laterColumn_whoseVisiblePutAFlushMayDrop_mayBeAbsent() throws Exception {
    // A flush counts "b", although it is hidden, and keeps no other version.
    retention = new Retention(1, Long.MAX_VALUE);
    stored(put("x", 1), 1);
    stored(new Stored(B, put("a", 2).version()), 2);
    stored(new Stored(B, put("b", 3).version()), 3);

    assertThat(plan(BOTH, new Stored(B, marker(Kind.DELETE_VERSION, 3).version())))
        .containsExactly("dead x|b", "live x|-", "live x|a");
  }

  @Test
  void P3_marker_belowMorePutsThanAreKept_hidesNothingForGood() throws Exception {
    retention = new Retention(1, Long.MAX_VALUE);
    stored(put("gone", 3), 1);
    stored(marker(Kind.DELETE_VERSION, 3), 2);
    stored(put("older", 5), 3);
    stored(put("newer", 7), 4);
    stored(marker(Kind.DELETE_VERSION, 7), 5);

    assertThat(plan(EAGER, marker(Kind.DELETE_VERSION, 5))).contains("live gone");
  }

  @Test
  void P3_deleteVersion_oneVersionKept_overwrittenPutOfOneTimestampMayShow() throws Exception {
    retention = new Retention(1, Long.MAX_VALUE);
    stored(put("a", 2), 1);
    stored(put("b", 2), 2);
    stored(put("c", 3), 3);

    assertThat(plan(EAGER, marker(Kind.DELETE_VERSION, 3)))
        .containsExactly("dead c", "live a", "live b");
  }

  @Test
  void P3_deleteFamily_overALabelledPut_keepsItsPosting() throws Exception {
    stored(labelled(put("secret", 5)), 1);
    stored(put("open", 6), 2);

    assertThat(plan(EAGER, marker(Kind.DELETE_FAMILY, 9)))
        .containsExactly("dead open", "live secret");
  }

  @Test
  void P3_labelledMarker_endsNoPosting() throws Exception {
    stored(put("open", 5), 1);

    assertThat(plan(EAGER, labelled(marker(Kind.DELETE_COLUMN, 9)))).containsExactly("live open");
  }

  @Test
  void P6_mortalPut_stored_keepsWhatShowsBehindItToo() throws Exception {
    stored(put("gone", 1), 1);
    stored(put("behind", 3), 2);
    stored(mortal(put("mortal", 7)), 3);

    assertThat(plan(EAGER, put("late", 2))).containsExactly("live behind", "live mortal");
    assertThat(setRight(EAGER, "gone", "behind", "mortal"))
        .containsExactly("dead gone", "live behind", "live mortal");
  }

  @Test
  void P6_mortalPut_overwritten_endsWithWhatIsBehindIt() throws Exception {
    stored(put("behind", 3), 1);
    stored(mortal(put("mortal", 7)), 2);

    assertThat(plan(EAGER, put("new", 8)))
        .containsExactly("dead behind", "dead mortal", "live new");
    assertThat(plan(EAGER, marker(Kind.DELETE_COLUMN, 8)))
        .containsExactly("dead behind", "dead mortal");
  }

  @Test
  void P6_mortalPuts_asManyAsAreKept_everyOlderStoredPutMayShow() throws Exception {
    // A compaction of the files of "b" and "mortal" keeps "mortal" only, and that for a time.
    retention = new Retention(1, Long.MAX_VALUE);
    stored(put("a", 1), 1);
    stored(put("b", 2), 2);
    stored(mortal(put("mortal", 3)), 3);

    assertThat(setRight(EAGER, "a", "b", "mortal")).isEmpty();
  }

  @Test
  void P6_mortalPut_composite_isIndexedAsAbsentToo() throws Exception {
    stored(new Stored(B, mortal(put("y", 5)).version()), 1);

    assertThat(plan(BOTH, put("x", 6))).containsExactly("live x|-", "live x|y");
  }

  @Test
  void P6_mortalMarker_endsNothingForGood() throws Exception {
    stored(put("x", 5), 1);
    stored(mortal(marker(Kind.DELETE_COLUMN, 9)), 2);

    assertThat(setRight(EAGER, "x")).isEmpty();
  }

  @Test
  void P6_mortalPut_newest_isNotDecidedByItAndIsSweptFor() throws Exception {
    stored(mortal(put("mortal", 7)), 1);

    assertThat(change(put("late", 2)).isDecidedBy(versions())).isFalse();
    assertThat(hides(put("late", 2))).isTrue();
    assertThat(hides(put("new", 8))).isFalse();
  }

  @Test
  void put_beyondTimeToLive_hasNoPosting() throws Exception {
    retention = new Retention(1, 100);

    assertThat(plan(EAGER, put("expired", NOW - 101))).isEmpty();
    assertThat(plan(EAGER, put("alive", NOW - 100))).containsExactly("live alive");
  }

  @Test
  void A1_put_newestAndUnhidden_isCertain() throws Exception {
    assertThat(certain(EAGER, put("new", 5))).isEqualTo(PostingCertainty.UNTIL_WRITTEN);
    stored(put("old", 4), 1);
    assertThat(certain(EAGER, put("new", 5))).isEqualTo(PostingCertainty.UNTIL_WRITTEN);
  }

  @Test
  void A1_put_behindAnEarlierMarker_isNotCertain() throws Exception {
    stored(marker(Kind.DELETE_COLUMN, 10), 1);

    assertThat(certain(EAGER, put("hidden", 5))).isEqualTo(PostingCertainty.NEVER);
    assertThat(certain(EAGER, put("above", 11))).isEqualTo(PostingCertainty.UNTIL_WRITTEN);
  }

  @Test
  void A1_deleteVersion_whatItExposes_isNotCertain() throws Exception {
    stored(put("old", 4), 1);
    stored(put("new", 5), 2);

    // A compaction may drop the old one, in favour of the new one, without a look at the marker.
    assertThat(certain(EAGER, marker(Kind.DELETE_VERSION, 5))).isEqualTo(PostingCertainty.NEVER);
  }

  @Test
  void A1_putsOfOneTimestampAndSequence_areNotCertain() throws Exception {
    stored(put("one", 5), 0);
    stored(put("other", 5), 0);

    assertThat(postings(EAGER).certainUntil(versions(), NOW)).isEqualTo(PostingCertainty.NEVER);
    assertThat(certain(EAGER, put("third", 5))).isEqualTo(PostingCertainty.UNTIL_WRITTEN);
  }

  @Test
  void A1_put_thatExpires_isCertainUntilShortlyBefore() throws Exception {
    retention = new Retention(1, 3_600_000);

    assertThat(certain(EAGER, put("v", NOW))).isEqualTo(NOW + 3_600_000 - 60_000);
  }

  @Test
  void A1_composite_isCertainAsLongAsAllItsColumnsAre() throws Exception {
    retention = new Retention(1, 3_600_000);
    stored(put("a", NOW - 7), 1);

    assertThat(certain(BOTH, new Stored(B, put("b", NOW - 9).version())))
        .isEqualTo(NOW - 9 + 3_600_000 - 60_000);
    stored(new Stored(B, marker(Kind.DELETE_COLUMN, NOW).version()), 2);
    assertThat(certain(BOTH, new Stored(B, put("b", NOW - 9).version())))
        .isEqualTo(PostingCertainty.NEVER);
  }

  @Test
  void A1_longValue_isNotCertain() throws Exception {
    assertThat(certain(EAGER, put("x".repeat(512), 5))).isEqualTo(PostingCertainty.UNTIL_WRITTEN);
    assertThat(certain(EAGER, put("x".repeat(513), 5))).isEqualTo(PostingCertainty.NEVER);
  }

  @Test
  void A1_lazy_isNeverCertain() throws Exception {
    assertThat(certain(LAZY, put("v", 5))).isEqualTo(PostingCertainty.NEVER);
  }

  /** Up to which time the only live posting that a batch leaves is certain. */
  private long certain(IndexDefinition definition, Stored... batch) throws UnindexableRowException {
    PostingPlan plan = new PostingPlan();
    plan.add(postings(definition), change(batch), versions(), NOW);
    return plan.postings().stream()
        .filter(posting -> posting.state() == PostingState.LIVE)
        .mapToLong(p -> PostingCertainty.until(p.value(), 0, p.value().length))
        .reduce(
            (one, other) -> {
              assertThat(other).isEqualTo(one);
              return other;
            })
        .orElseThrow();
  }

  @Test
  void composite_laterColumnAbsent_isIndexedAsAbsent() throws Exception {
    assertThat(plan(BOTH, put("x", 5))).containsExactly("live x|-");
  }

  @Test
  void composite_leadingColumnAbsent_hasNoPosting() throws Exception {
    assertThat(plan(BOTH, new Stored(B, put("y", 5).version()))).isEmpty();
  }

  @Test
  void composite_oneColumnWritten_movesThePosting() throws Exception {
    stored(put("x", 5), 1);

    assertThat(plan(BOTH, new Stored(B, put("y", 6).version())))
        .containsExactly("dead x|-", "live x|y");
  }

  @Test
  void composite_leadingColumnDeleted_endsThePosting() throws Exception {
    stored(put("x", 5), 1);
    stored(new Stored(B, put("y", 5).version()), 1);

    assertThat(plan(BOTH, marker(Kind.DELETE_COLUMN, 9))).containsExactly("dead x|y");
  }

  @Test
  void lazy_put_addsItsPostingWithoutReading() throws Exception {
    RowPostings index = postings(LAZY);
    RowChange change = change(put("x", 5));
    assertThat(PostingPlan.needsStored(index, change)).isFalse();

    PostingPlan plan = new PostingPlan();
    plan.add(index, change, null, NOW);

    assertThat(describe(plan, 1)).containsExactly("live x");
  }

  @Test
  void P12_lazy_delete_addsAgainWhatItExposes() throws Exception {
    stored(put("old", 3), 1);
    stored(put("new", 7), 2);

    assertThat(plan(LAZY, marker(Kind.DELETE_FAMILY_VERSION, 7))).containsExactly("live old");
    assertThat(plan(LAZY, marker(Kind.DELETE_VERSION, 7)))
        .as("puts above may have the marker dropped before what it hides")
        .containsExactly("live new", "live old");
  }

  @Test
  void P12_setRight_lazyValueStillStored_isNotEnded() throws Exception {
    stored(put("old", 3), 1);
    stored(put("new", 7), 2);

    assertThat(setRight(LAZY, "old", "new", "gone"))
        .containsExactly("dead gone", "live new", "live old");
    assertThat(setRight(LAZY, "old")).isEmpty();
  }

  @Test
  void setRight_eagerValueOverwritten_isEnded() throws Exception {
    stored(put("old", 3), 1);
    stored(put("new", 7), 2);

    assertThat(setRight(EAGER, "old", "new")).containsExactly("dead old", "live new");
  }

  @Test
  void setRight_compositeColumnExpired_writesTheRowsNewPosting() throws Exception {
    stored(put("x", 5), 1);
    RowPostings index = postings(BOTH);
    byte[] expired = index.key(ROW, List.of(bytes("x"), bytes("y")));

    PostingPlan plan = new PostingPlan();
    plan.setRight(index, ROW, versions(), List.of(expired), false, NOW);

    assertThat(describe(plan, 2)).containsExactly("dead x|y", "live x|-");
  }

  @Test
  void P13_put_rowKeyTooLong_isRefused() {
    byte[] longRow = new byte[IndexRowKeys.MAX_ROW_KEY_LENGTH];
    RowChange change = new RowChange(longRow, columns());
    change.add(0, A, put("x", 5).version());

    assertThatThrownBy(
            () -> new PostingPlan().add(postings(EAGER), change, new RowVersions(columns()), NOW))
        .isInstanceOf(UnindexableRowException.class)
        .hasMessageContaining("in index one on f:a: index row key would be")
        .hasMessageEndingWith("shorten the row key");
  }

  @Test
  void P13_deleteFamily_rowKeyTooLong_isNotRefused() throws Exception {
    byte[] longRow = new byte[IndexRowKeys.MAX_ROW_KEY_LENGTH];
    stored(put("x", 5), 1);
    stored(new Stored(B, put("y", 5).version()), 1);
    RowChange change = new RowChange(longRow, columns());
    change.addToFamily(0, marker(Kind.DELETE_FAMILY, 9).version());

    PostingPlan plan = new PostingPlan();
    plan.add(postings(EAGER), change, versions(), NOW);
    plan.add(postings(BOTH), change, versions(), NOW);

    assertThat(plan.postings()).isEmpty();
  }

  @Test
  void put_moreShowableValuesThanTheLimit_isRefused() throws Exception {
    stored(marker(Kind.DELETE_COLUMN, 1_000_000), 1);
    for (int i = 0; i < RowPostings.MAX_PER_ROW; i++) {
      stored(put("v" + i, i), 2 + i);
    }

    assertThat(plan(EAGER, put("v0", 5_000))).hasSize(RowPostings.MAX_PER_ROW);
    assertThatThrownBy(() -> plan(EAGER, put("one too many", 5_000)))
        .isInstanceOf(UnindexableRowException.class)
        .hasMessageContaining("needs more than 1024 postings")
        .hasMessageContaining("major-compact the region")
        .satisfies(
            e ->
                assertThat(((UnindexableRowException) e).reason())
                    .isEqualTo(WriteRefusal.TOO_MANY_POSTINGS));
  }

  @Test
  void lazy_moreStoredValuesThanTheLimit_areAllKept() throws Exception {
    for (int i = 0; i <= RowPostings.MAX_PER_ROW; i++) {
      stored(put("v" + i, i), 1 + i);
    }

    assertThat(plan(LAZY, marker(Kind.DELETE_FAMILY_VERSION, 0))).hasSize(RowPostings.MAX_PER_ROW);
    assertThat(setRight(LAZY, "v0", "v" + RowPostings.MAX_PER_ROW)).isEmpty();
  }

  private static Stored put(String value, long timestamp) {
    return new Stored(
        A, new Version(Kind.PUT, timestamp, Version.AT_HAND, false, false, false, bytes(value)));
  }

  private static Stored marker(Kind kind, long timestamp) {
    return new Stored(
        kind.isFamilyWide() ? IndexedColumns.NONE : A,
        new Version(kind, timestamp, Version.AT_HAND, false, false, false, null));
  }

  private void stored(Stored cell, long sequence) {
    Version version = cell.version();
    stored.add(
        new Stored(
            cell.column(),
            new Version(
                version.kind(),
                version.timestamp(),
                sequence,
                version.labelled(),
                version.mortal(),
                version.tagged(),
                version.value())));
  }

  private static Stored labelled(Stored cell) {
    Version version = cell.version();
    return new Stored(
        cell.column(),
        new Version(
            version.kind(),
            version.timestamp(),
            version.sequence(),
            true,
            version.mortal(),
            true,
            version.value()));
  }

  private static Stored mortal(Stored cell) {
    Version version = cell.version();
    return new Stored(
        cell.column(),
        new Version(
            version.kind(),
            version.timestamp(),
            version.sequence(),
            version.labelled(),
            true,
            true,
            version.value()));
  }

  private IndexedColumns columns() {
    return new IndexedColumns(List.of(EAGER, BOTH));
  }

  private RowPostings postings(IndexDefinition definition) {
    IndexDefinition assigned =
        TableIndexes.none().with(definition, () -> 1).definitions().iterator().next();
    return new RowPostings(assigned, keys, columns(), Collections.nCopies(2, retention));
  }

  private RowVersions versions() {
    RowVersions versions = new RowVersions(columns());
    for (Stored cell : stored) {
      if (cell.column() == IndexedColumns.NONE) {
        versions.addToFamily(0, cell.version());
      } else {
        versions.add(cell.column(), cell.version());
      }
    }
    return versions;
  }

  private RowChange change(Stored... batch) {
    RowChange change = new RowChange(ROW, columns());
    for (Stored cell : batch) {
      if (cell.column() == IndexedColumns.NONE) {
        change.addToFamily(0, cell.version());
      } else {
        change.add(0, cell.column(), cell.version());
      }
    }
    return change;
  }

  private List<String> plan(IndexDefinition definition, Stored... batch)
      throws UnindexableRowException {
    PostingPlan plan = new PostingPlan();
    plan.add(postings(definition), change(batch), versions(), NOW);
    return describe(plan, definition.columns().size());
  }

  private List<String> setRight(IndexDefinition definition, String... suspects)
      throws UnindexableRowException {
    RowPostings index = postings(definition);
    List<byte[]> suspectKeys = new ArrayList<>();
    for (String suspect : suspects) {
      suspectKeys.add(index.key(ROW, List.of(bytes(suspect))));
    }
    PostingPlan plan = new PostingPlan();
    plan.setRight(index, ROW, versions(), suspectKeys, false, NOW);
    return describe(plan, 1);
  }

  private List<String> describe(PostingPlan plan, int columnCount) {
    TreeSet<String> described = new TreeSet<>();
    for (PostingPlan.Planned posting : plan.postings()) {
      String values =
          keys.parse(posting.key(), columnCount).values().stream()
              .map(value -> value == null ? "-" : new String(value, StandardCharsets.US_ASCII))
              .collect(Collectors.joining("|"));
      boolean first =
          described.add((posting.state() == PostingState.LIVE ? "live " : "dead ") + values);
      assertThat(first).as("each key once").isTrue();
    }
    return List.copyOf(described);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
