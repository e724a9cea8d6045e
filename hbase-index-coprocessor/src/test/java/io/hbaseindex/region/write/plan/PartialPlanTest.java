/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import io.hbaseindex.region.write.plan.Version.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each kind of mutation does to the posting of a row in a partial index. */
class PartialPlanTest {
  private static final long NOW = 10_000_000;
  private static final int CITY = 0;
  private static final int STATUS = 1;

  private final IndexRowKeys keys =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[] {1}).orElseThrow();
  private final IndexDefinition eager = partial("f:status=open");
  private final IndexedColumns columns = new IndexedColumns(List.of(eager));
  private RowVersions stored;
  private Retention retention = new Retention(1, Long.MAX_VALUE);

  @BeforeEach
  void storeRow() {
    stored = new RowVersions(columns);
    stored.add(CITY, put(5, 1, "Oslo"));
  }

  @Test
  void put_ofARowWithoutTheConditionsColumn_writesNothing() throws Exception {
    assertThat(after(eager, CITY, put(6, Version.AT_HAND, "Rome"))).isEmpty();
  }

  @Test
  void P15_put_toTheConditionsColumnAlone_beginsAndEndsThePosting() throws Exception {
    assertThat(after(eager, STATUS, put(5, Version.AT_HAND, "open"))).containsExactly("Oslo!");
    stored.add(STATUS, put(5, 1, "open"));
    assertThat(after(eager, STATUS, put(6, Version.AT_HAND, "done"))).containsExactly("-Oslo");
  }

  @Test
  void P15_delete_ofTheConditionsColumn_endsThePosting() throws Exception {
    stored.add(STATUS, put(5, 1, "open"));
    assertThat(after(eager, STATUS, marker(Kind.DELETE_COLUMN, 5))).containsExactly("-Oslo");
  }

  @Test
  void P15_delete_thatExposesAValueThatMeetsTheCondition_beginsThePosting() throws Exception {
    stored.add(STATUS, put(3, 1, "open"));
    stored.add(STATUS, put(5, 2, "done"));
    assertThat(after(eager, STATUS, marker(Kind.DELETE_VERSION, 5))).containsExactly("Oslo");
  }

  /** A compaction that drops the marker shows it, without another write. */
  @Test
  void P15_put_behindAMarkerThatMayGo_hasAPostingThatIsNotCertain() throws Exception {
    stored.add(STATUS, new Version(Kind.DELETE_COLUMN, 8, 1, false, false, false, null));
    assertThat(after(eager, STATUS, put(6, Version.AT_HAND, "open"))).containsExactly("Oslo");
  }

  @Test
  void P15_put_aboveAHiddenOneThatMeetsTheCondition_leavesThePosting() throws Exception {
    stored.add(STATUS, put(6, 2, "open"));
    stored.add(STATUS, new Version(Kind.DELETE_VERSION, 6, 1, false, false, false, null));
    assertThat(after(eager, STATUS, put(4, Version.AT_HAND, "done"))).containsExactly("Oslo");
  }

  @Test
  void A1_condition_ofATwinOfOneTimestamp_isNotCertain() throws Exception {
    stored.add(STATUS, put(5, 1, "open"));
    stored.add(STATUS, put(5, 1, "done"));
    assertThat(after(eager, CITY, put(6, Version.AT_HAND, "Rome"))).contains("Rome");
  }

  @Test
  void A1_condition_onAColumnThatExpires_isCertainUntilShortlyBefore() throws Exception {
    retention = new Retention(1, 3_600_000);
    stored = new RowVersions(columns);
    stored.add(CITY, put(NOW, 1, "Oslo"));
    PostingPlan plan = plan(eager, STATUS, put(NOW - 9, Version.AT_HAND, "open"));
    byte[] value = plan.postings().get(0).value();
    assertThat(PostingCertainty.until(value, 0, value.length))
        .isEqualTo(NOW - 9 + 3_600_000 - 60_000);
    stored.add(STATUS, put(NOW - 3_600_001, 1, "open"));
    assertThat(after(eager, CITY, put(NOW, Version.AT_HAND, "Oslo"))).isEmpty();
  }

  @Test
  void condition_onTheIndexedColumn_choosesItsValues() throws Exception {
    IndexDefinition own = partial("f:city<P f:status");
    stored.add(STATUS, put(5, 1, "x"));
    assertThat(after(own, CITY, put(6, Version.AT_HAND, "Bern"))).containsExactly("-Oslo", "Bern!");
    assertThat(after(own, CITY, put(6, Version.AT_HAND, "Rome"))).containsExactly("-Oslo");
  }

  @Test
  void lazy_conditionOnItsOnlyColumn_isWrittenWithoutLooking() throws Exception {
    IndexDefinition lazy = lazy("f:city<P");
    stored = null;
    assertThat(after(lazy, CITY, put(6, Version.AT_HAND, "Bern"))).containsExactly("Bern");
    assertThat(after(lazy, CITY, put(6, Version.AT_HAND, "Rome"))).isEmpty();
  }

  @Test
  void lazy_conditionOnAnotherColumn_readsTheRow() throws Exception {
    IndexDefinition lazy = lazy("f:status=open");
    assertThat(after(lazy, CITY, put(6, Version.AT_HAND, "Bern"))).isEmpty();
    stored.add(STATUS, put(5, 1, "open"));
    assertThat(after(lazy, CITY, put(6, Version.AT_HAND, "Bern"))).containsExactly("Bern");
    assertThat(after(lazy, STATUS, put(6, Version.AT_HAND, "done"))).isEmpty();
  }

  @Test
  void setRight_postingOfARowThatNoLongerMeetsTheCondition_endsIt() throws Exception {
    stored.add(STATUS, put(5, 1, "done"));
    RowPostings index = index(eager);
    byte[] key = index.key(new byte[] {'r'}, List.of(bytes("Oslo")));
    PostingPlan plan = new PostingPlan();
    plan.setRight(index, new byte[] {'r'}, stored, List.of(key), false, NOW);
    assertThat(plan.postings())
        .extracting(PostingPlan.Planned::state)
        .containsExactly(PostingState.DEAD);
  }

  private IndexDefinition partial(String condition) {
    return defined(IndexDefinition.on("f", "city").where(condition).named("n").eager());
  }

  private IndexDefinition lazy(String condition) {
    return defined(IndexDefinition.on("f", "city").where(condition).named("n").lazy());
  }

  private static IndexDefinition defined(IndexDefinition index) {
    return TableIndexes.none().with(index, () -> 1).byName("n").orElseThrow();
  }

  private RowPostings index(IndexDefinition definition) {
    return new RowPostings(definition, keys, columns, Collections.nCopies(2, retention));
  }

  /** What a change writes: values that end after a minus, those that are certain before a mark. */
  private List<String> after(IndexDefinition definition, int column, Version change)
      throws Exception {
    return plan(definition, column, change).postings().stream()
        .map(
            posting -> {
              byte[] value = keys.parse(posting.key(), 1).values().get(0);
              String text = new String(value, StandardCharsets.US_ASCII);
              if (posting.state() == PostingState.DEAD) {
                return "-" + text;
              }
              long until = PostingCertainty.until(posting.value(), 0, posting.value().length);
              return text + (until >= NOW ? "!" : "");
            })
        .toList();
  }

  private PostingPlan plan(IndexDefinition definition, int column, Version change)
      throws Exception {
    RowPostings index = index(definition);
    RowChange batch = new RowChange(new byte[] {'r'}, columns);
    batch.add(0, column, change);
    assertThat(batch.touches(index)).isTrue();
    PostingPlan plan = new PostingPlan();
    plan.add(index, batch, stored, NOW);
    return plan;
  }

  private static Version put(long timestamp, long sequence, String value) {
    return new Version(Kind.PUT, timestamp, sequence, false, false, false, bytes(value));
  }

  private static Version marker(Kind kind, long timestamp) {
    return new Version(kind, timestamp, Version.AT_HAND, false, false, false, null);
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.US_ASCII);
  }
}
