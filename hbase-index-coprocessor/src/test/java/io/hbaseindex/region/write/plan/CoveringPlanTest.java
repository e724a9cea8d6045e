/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.region.write.plan.Version.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each kind of mutation does to the cells that the posting of a row carries. */
class CoveringPlanTest {
  private static final long NOW = 10_000_000;
  private static final int CITY = 0;
  private static final int NAME = 1;
  private static final long FOREVER = PostingCertainty.UNTIL_WRITTEN;
  private static final IndexDefinition DEFINITION =
      TableIndexes.none()
          .with(
              IndexDefinition.on("f", "city").including("f:name").named("by_city").eager(), () -> 1)
          .byName("by_city")
          .orElseThrow();

  private final IndexedColumns columns = new IndexedColumns(List.of(DEFINITION));
  private final IndexRowKeys keys =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[] {1}).orElseThrow();
  private RowVersions stored;
  private Retention retention = new Retention(1, Long.MAX_VALUE);

  @BeforeEach
  void storeRow() {
    stored = new RowVersions(columns);
    stored.add(CITY, put(7, 1, "Oslo"));
    stored.add(NAME, put(5, 1, "Ann"));
  }

  @Test
  void A2_put_toTheIncludedColumnAlone_writesThePostingAgain() throws Exception {
    assertThat(carriedAfter(NAME, put(6, Version.AT_HAND, "Bea"))).contains("7 Bea@6");
  }

  @Test
  void put_belowTheShownOne_carriesTheShownOne() throws Exception {
    assertThat(carriedAfter(NAME, put(4, Version.AT_HAND, "Eve"))).contains("7 Ann@5");
  }

  @Test
  void put_toTheIndexedColumn_carriesItsTimestamp() throws Exception {
    assertThat(carriedAfter(CITY, put(9, Version.AT_HAND, "Oslo"))).contains("9 Ann@5");
  }

  @Test
  void delete_ofTheWholeIncludedColumn_carriesItsAbsence() throws Exception {
    assertThat(carriedAfter(NAME, marker(Kind.DELETE_COLUMN, 5))).contains("7 -");
  }

  @Test
  void delete_ofOneVersionThatExposesAnother_carriesNothing() throws Exception {
    stored.add(NAME, put(3, 1, "Old"));

    assertThat(carriedAfter(NAME, marker(Kind.DELETE_VERSION, 5))).isEmpty();
  }

  @Test
  void put_belowAMarkerThatMayGo_carriesNothing() throws Exception {
    stored.add(NAME, new Version(Kind.DELETE_COLUMN, 8, 2, false, false, false, null));

    assertThat(carriedAfter(NAME, put(6, Version.AT_HAND, "Bea"))).isEmpty();
  }

  @Test
  void A3_put_withATag_carriesNothing() throws Exception {
    assertThat(
            carriedAfter(
                NAME,
                new Version(Kind.PUT, 6, Version.AT_HAND, false, false, true, bytes("secret"))))
        .isEmpty();
  }

  @Test
  void A3_put_toTheIndexedColumnWithATag_carriesNothing() throws Exception {
    assertThat(
            carriedAfter(
                CITY, new Version(Kind.PUT, 9, Version.AT_HAND, false, false, true, bytes("Oslo"))))
        .isEmpty();
  }

  @Test
  void put_atTheBoundOfBytes_isCarried_aboveItIsNot() throws Exception {
    String most = "x".repeat(CarriedCells.MAX_BYTES);

    assertThat(carriedAfter(NAME, put(6, Version.AT_HAND, most))).contains("7 " + most + "@6");
    assertThat(carriedAfter(NAME, put(6, Version.AT_HAND, most + "x"))).isEmpty();
    assertThat(PostingCertainty.until(value, 0, value.length)).isEqualTo(FOREVER);
  }

  @Test
  void put_thatExpires_isCarriedUntilShortlyBefore() throws Exception {
    retention = new Retention(1, 3_600_000);
    stored = new RowVersions(columns);
    stored.add(CITY, put(NOW, 1, "Oslo"));

    assertThat(carriedAfter(NAME, put(NOW - 9, Version.AT_HAND, "Ann")))
        .contains(NOW + " Ann@" + (NOW - 9));
    assertThat(CarriedCells.in(value, 1, 1).orElseThrow().until())
        .isEqualTo(NOW - 9 + 3_600_000 - 60_000);
  }

  /** A server whose clock is behind still shows it. */
  @Test
  void put_thatExpiredJustNow_isNeitherCarriedNorAbsent() throws Exception {
    retention = new Retention(1, 3_600_000);
    stored = new RowVersions(columns);
    stored.add(NAME, put(NOW - 3_600_000 - 1, 1, "Ann"));

    assertThat(carriedAfter(CITY, put(NOW, Version.AT_HAND, "Oslo"))).isEmpty();
    stored = new RowVersions(columns);
    stored.add(NAME, put(NOW - 3_600_000 - 60_001, 1, "Ann"));
    assertThat(carriedAfter(CITY, put(NOW, Version.AT_HAND, "Oslo"))).contains(NOW + " -");
  }

  /** The marker expires too, and by the clock of another server that may be before the put. */
  @Test
  void put_thatIsDeletedInAFamilyThatExpires_isNeitherCarriedNorAbsent() throws Exception {
    retention = new Retention(1, 3_600_000);
    stored = new RowVersions(columns);
    stored.add(CITY, put(NOW, 1, "Oslo"));
    stored.add(NAME, put(NOW - 9, 1, "Ann"));

    assertThat(carriedAfter(NAME, marker(Kind.DELETE_COLUMN, NOW))).isEmpty();
  }

  private byte[] value;

  /** Timestamp of the city and cell of the name that the row's only posting carries. */
  private Optional<String> carriedAfter(int column, Version change) throws Exception {
    RowPostings index =
        new RowPostings(DEFINITION, keys, columns, Collections.nCopies(2, retention));
    RowChange batch = new RowChange(new byte[] {'r'}, columns);
    batch.add(0, column, change);
    assertThat(batch.touches(index)).isTrue();
    PostingPlan plan = new PostingPlan();
    plan.add(index, batch, stored, NOW);
    assertThat(plan.postings()).hasSize(1);
    value = plan.postings().get(0).value();
    return CarriedCells.in(value, 1, 1).map(CoveringPlanTest::text);
  }

  private static String text(CarriedCells cells) {
    CarriedCells.Cell name = cells.included().get(0);
    return cells.timestamps().get(0)
        + " "
        + (name == null
            ? "-"
            : new String(name.value(), StandardCharsets.US_ASCII) + "@" + name.timestamp());
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
