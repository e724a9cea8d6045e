/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.predicate.IndexScope;
import io.hbaseindex.region.write.plan.SimulatedRow.SimCell;
import io.hbaseindex.region.write.plan.Version.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random histories of one row, with flushes and compactions, against an independent model of what
 * readers see: whatever they see has a live posting, at every moment, and whatever a posting says
 * for certain, or carries as a cell, they see. A failure prints its seed; {@code
 * -Dhbaseindex.seed=N} replays it.
 */
class PostingPlanDifferentialTest {
  private static final int HISTORIES = Integer.getInteger("hbaseindex.histories", 500);
  private static final int STEPS = 60;
  private static final int COLUMNS = 3;

  private static final IndexDefinition EAGER_0 =
      IndexDefinition.on("f", "c0").named("eager0").eager();
  private static final IndexDefinition EAGER_1 =
      IndexDefinition.on("f", "c1").named("eager1").eager();
  private static final IndexDefinition EAGER_BOTH =
      IndexDefinition.on("f", "c0").and("f", "c1").named("eager_both").eager();
  private static final IndexDefinition COVERING_0 =
      IndexDefinition.on("f", "c0").including("f:c2").named("covering0").eager();
  private static final IndexDefinition COVERING_BOTH =
      IndexDefinition.on("f", "c0").and("f", "c1").including("f:c2").named("covering_both").eager();
  private static final IndexDefinition LAZY_0 = IndexDefinition.on("f", "c0").named("lazy0").lazy();
  private static final IndexDefinition LAZY_BOTH =
      IndexDefinition.on("f", "c1").and("f", "c0").named("lazy_both").lazy();

  private static final IndexDefinition PARTIAL_0 =
      IndexDefinition.on("f", "c0").where("f:c2=v0|v1").named("partial0").eager();
  private static final IndexDefinition PARTIAL_OWN =
      IndexDefinition.on("f", "c0").where("f:c0>=v1").including("f:c1").named("own").eager();
  private static final IndexDefinition PARTIAL_BOTH =
      IndexDefinition.on("f", "c0")
          .and("f", "c1")
          .where("f:c1 f:c2<v3")
          .including("f:c2")
          .named("partial_both")
          .eager();
  private static final IndexDefinition LAZY_PARTIAL =
      IndexDefinition.on("f", "c1").where("f:c0=v0|v2").named("lazy_partial").lazy();
  private static final IndexDefinition LAZY_OWN =
      IndexDefinition.on("f", "c1").where("f:c1<v2").named("lazy_own").lazy();

  /** How the index is kept; the product's way, or a broken one. */
  private interface Upkeep {
    void write(SimulatedIndex index, SimulatedRow row, List<SimCell> batch, long now)
        throws UnindexableRowException;
  }

  @Test
  void write_anyHistory_everythingVisibleHasALivePosting() throws UnindexableRowException {
    long base = Long.getLong("hbaseindex.seed", 0L);
    int histories = base == 0 ? HISTORIES : 1;
    for (int i = 0; i < histories; i++) {
      long seed = base == 0 ? 1_000_003L * (i + 1) : base;
      Optional<String> missing =
          play(seed, (index, row, batch, now) -> index.write(row.rawScan(now), batch, now));
      assertThat(missing).as("seed %d", seed).isEmpty();
    }
  }

  /** A row that is written all the time is not to be read as a whole each time. */
  @Test
  void write_plannedFromTheNewestCells_isPlannedAsFromEverything() throws UnindexableRowException {
    int[] planned = new int[2];
    for (long seed = 1; seed <= HISTORIES; seed++) {
      play(
          seed,
          (index, row, batch, now) -> {
            List<SimCell> raw = row.rawScan(now);
            boolean fromNewest = index.isPlannedFrom(row.newestOfEach(), raw, batch, now);
            planned[fromNewest ? 1 : 0]++;
            index.write(raw, batch, now);
          });
    }
    assertThat(planned).as("from everything, from the newest").doesNotContain(0);
  }

  /**
   * A filter takes out what a plan says was live. What the row alone does not tell is not always
   * live, so it has to be asked.
   */
  @Test
  void F1_write_postingSaidToBeLive_isLive() throws UnindexableRowException {
    Map<String, Integer> planned = new TreeMap<>();
    for (long seed = 1; seed <= HISTORIES; seed++) {
      SimulatedIndex[] last = new SimulatedIndex[1];
      play(
          seed,
          (index, row, batch, now) -> {
            index.write(row.rawScan(now), batch, now);
            last[0] = index;
          });
      last[0].planned().forEach((what, times) -> planned.merge(what, times, Integer::sum));
    }
    assertThat(planned)
        .containsKeys("live, LIVE", "live, UNKNOWN", "not live, UNKNOWN", "not live, ENDED")
        .doesNotContainKey("not live, LIVE");
  }

  @Test
  void P3_write_maskedPutsForgotten_isNoticedByThisTest() throws UnindexableRowException {
    boolean noticed = false;
    for (long seed = 1; seed <= HISTORIES && !noticed; seed++) {
      noticed = play(seed, PostingPlanDifferentialTest::writeForgettingMaskedPuts).isPresent();
    }
    assertThat(noticed).isTrue();
  }

  @Test
  void P2_write_oldValuesNotRead_isNoticedByThisTest() throws UnindexableRowException {
    boolean noticed = false;
    for (long seed = 1; seed <= HISTORIES && !noticed; seed++) {
      noticed =
          play(seed, (index, row, batch, now) -> index.write(List.of(), batch, now)).isPresent();
    }
    assertThat(noticed).isTrue();
  }

  /**
   * The mark has to be common where little is deleted, or nothing would be answered by postings.
   */
  @Test
  void write_rowsThatAreMostlyPut_haveCertainPostings() throws UnindexableRowException {
    int[] seen = new int[2];
    for (long seed = 1; seed <= HISTORIES; seed++) {
      play(
          seed,
          (index, row, batch, now) -> {
            index.write(row.rawScan(now), batch, now);
            for (IndexDefinition definition : List.of(EAGER_0, EAGER_BOTH)) {
              IndexDefinition kept = index.definition(definition.name());
              seen[0] += index.live(kept).isEmpty() ? 0 : 1;
              seen[1] += index.certain(kept, now).size();
            }
          });
    }
    // Four of ten cells of these histories delete, and a third of the histories forget quickly.
    assertThat(seen[1]).as("of %d rows with postings", seen[0]).isGreaterThan(seen[0] / 8);
  }

  /** Likewise for cells that postings carry, or no scan would be answered by postings. */
  @Test
  void write_rowsThatAreMostlyPut_haveTheirCellsCarried() throws UnindexableRowException {
    int[] seen = new int[2];
    for (long seed = 1; seed <= HISTORIES; seed++) {
      play(
          seed,
          (index, row, batch, now) -> {
            index.write(row.rawScan(now), batch, now);
            for (IndexDefinition definition : List.of(COVERING_0, COVERING_BOTH)) {
              IndexDefinition kept = index.definition(definition.name());
              seen[0] += index.live(kept).isEmpty() ? 0 : 1;
              seen[1] += index.carried(kept, now).size();
            }
          });
    }
    assertThat(seen[1]).as("of %d rows with postings", seen[0]).isGreaterThan(seen[0] / 12);
  }

  /** An index that misses what happens to an included column carries cells that are no more. */
  @Test
  void A2_write_includedColumnForgotten_isNoticedByThisTest() throws UnindexableRowException {
    Optional<String> noticed = Optional.empty();
    for (long seed = 1; seed <= HISTORIES && noticed.isEmpty(); seed++) {
      noticed =
          play(
                  seed,
                  (index, row, batch, now) ->
                      index.write(
                          row.rawScan(now),
                          batch.stream().filter(cell -> cell.column() != 2).toList(),
                          now))
              .filter(what -> what.contains("carries"));
    }
    assertThat(noticed).isPresent();
  }

  /** An index that misses what happens to a column of its condition lacks postings. */
  @Test
  void P15_write_columnOfTheConditionForgotten_isNoticedByThisTest()
      throws UnindexableRowException {
    Optional<String> noticed = Optional.empty();
    for (long seed = 1; seed <= HISTORIES && noticed.isEmpty(); seed++) {
      noticed =
          play(
                  seed,
                  (index, row, batch, now) ->
                      index.write(
                          row.rawScan(now),
                          batch.stream().filter(cell -> cell.column() != 2).toList(),
                          now))
              .filter(what -> what.startsWith("partial0 lacks"));
    }
    assertThat(noticed).isPresent();
  }

  /** Rows that do not meet the condition have no posting, but for what may still show. */
  @Test
  void write_rowsThatDoNotMeetTheCondition_mostlyHaveNoPosting() throws UnindexableRowException {
    int[] outside = new int[2];
    int[] certain = new int[2];
    for (long seed = 1; seed <= HISTORIES; seed++) {
      play(
          seed,
          (index, row, batch, now) -> {
            IndexDefinition kept = index.definition(PARTIAL_0.name());
            if (row.visible(0, now) != null && !isMet(kept, row, now)) {
              outside[0]++;
              outside[1] += index.live(kept).isEmpty() ? 1 : 0;
            }
            certain[0] += index.live(kept).isEmpty() ? 0 : 1;
            certain[1] += index.certain(kept, now).size();
            index.write(row.rawScan(now), batch, now);
          });
    }
    assertThat(outside[1]).as("of %d rows outside", outside[0]).isGreaterThan(outside[0] / 2);
    assertThat(certain[1]).as("of %d with postings", certain[0]).isGreaterThan(certain[0] / 12);
  }

  @Test
  void A1_write_markersForgotten_isNoticedByThisTest() throws UnindexableRowException {
    Optional<String> noticed = Optional.empty();
    for (long seed = 1; seed <= HISTORIES && noticed.isEmpty(); seed++) {
      noticed =
          play(
                  seed,
                  (index, row, batch, now) ->
                      index.write(
                          row.rawScan(now).stream().filter(SimCell::isPut).toList(), batch, now))
              .filter(what -> what.contains("is certain of"));
    }
    assertThat(noticed).isPresent();
  }

  /** Hides from the index every stored put and coming put that readers cannot see at the moment. */
  private static void writeForgettingMaskedPuts(
      SimulatedIndex index, SimulatedRow row, List<SimCell> batch, long now)
      throws UnindexableRowException {
    List<SimCell> raw = row.rawScan(now);
    List<SimCell> seen =
        batch.stream()
            .filter(cell -> !cell.isPut() || raw.stream().noneMatch(marker -> marker.hides(cell)))
            .toList();
    index.write(
        raw.stream()
            .filter(cell -> !cell.isPut() || raw.stream().noneMatch(marker -> marker.hides(cell)))
            .toList(),
        seen,
        now);
  }

  /** Plays one history; returns what went missing first. */
  private static Optional<String> play(long seed, Upkeep upkeep) throws UnindexableRowException {
    Random random = new Random(seed);
    long timeToLive = random.nextInt(3) == 0 ? 12 : Long.MAX_VALUE;
    Retention retention = new Retention(random.nextBoolean() ? 1 : 3, timeToLive);
    SimulatedRow row = new SimulatedRow(retention);
    SimulatedIndex index =
        new SimulatedIndex(
            retention,
            EAGER_0,
            EAGER_1,
            EAGER_BOTH,
            COVERING_0,
            COVERING_BOTH,
            LAZY_0,
            LAZY_BOTH,
            PARTIAL_0,
            PARTIAL_OWN,
            PARTIAL_BOTH,
            LAZY_PARTIAL,
            LAZY_OWN);
    boolean labels = random.nextInt(3) == 0;
    long now = 100;
    for (int step = 0; step < STEPS; step++) {
      now += random.nextInt(2);
      long time = now;
      int event = random.nextInt(20);
      if (event < 13) {
        List<SimCell> batch = batch(random, labels, now);
        upkeep.write(index, row, batch, now);
        row.write(batch);
      } else if (event < 15) {
        row.flush(random, now);
      } else if (event < 17) {
        row.compactSome(random, now);
      } else if (event < 19) {
        row.compactAll(random, now);
      } else {
        index.endStale(row.rawScan(now), now);
      }
      Optional<String> missing =
          missing(index, row, now)
              .or(() -> timeToLive == Long.MAX_VALUE ? inexact(index, row, time) : Optional.empty())
              .or(() -> invented(index, row, time));
      if (missing.isPresent()) {
        int at = step;
        return missing.map(what -> what + " after step " + at + " (event " + event + ")");
      }
    }
    return Optional.empty();
  }

  private static Optional<String> missing(SimulatedIndex index, SimulatedRow row, long now) {
    String[] visible = {row.visible(0, now), row.visible(1, now)};
    for (IndexDefinition definition : index.definitions()) {
      List<String> leading = new ArrayList<>();
      for (var column : definition.columns()) {
        String value = visible[column.qualifier()[1] - '0'];
        if (value == null) {
          break;
        }
        leading.add(value);
      }
      // A query on all of these columns, or on some leading ones, must find a posting of the row.
      List<List<String>> live = index.live(definition);
      if (!leading.isEmpty()
          && isMet(definition, row, now)
          && live.stream().noneMatch(p -> p.subList(0, leading.size()).equals(leading))) {
        return Optional.of(definition.name() + " lacks " + leading + ", has " + live);
      }
    }
    return Optional.empty();
  }

  private static boolean isMet(IndexDefinition definition, SimulatedRow row, long now) {
    return IndexScope.of(definition.condition())
        .isMet(
            column -> {
              String value = row.visible(column.qualifier()[1] - '0', now);
              return value == null ? null : value.getBytes(StandardCharsets.US_ASCII);
            });
  }

  /**
   * Looks for rows without a posting of just what they show: numbers of rows go by these. Where
   * values expire there is none until the row is written again, and nobody counts by postings.
   */
  private static Optional<String> inexact(SimulatedIndex index, SimulatedRow row, long now) {
    for (IndexDefinition definition : index.definitions()) {
      List<String> shown = shown(definition, row, now);
      boolean exact = index.live(definition).contains(shown) || !isMet(definition, row, now);
      if (definition.isEager() && !shown.get(0).equals("(absent)") && !exact) {
        return Optional.of(
            definition.name() + " lacks just " + shown + ", has " + index.live(definition));
      }
    }
    return Optional.empty();
  }

  private static List<String> shown(IndexDefinition definition, SimulatedRow row, long now) {
    return definition.columns().stream()
        .map(column -> row.visible(column.qualifier()[1] - '0', now))
        .map(value -> value == null ? "(absent)" : value)
        .toList();
  }

  /** Looks for postings that answer for the row and are wrong, or are not the only ones. */
  private static Optional<String> invented(SimulatedIndex index, SimulatedRow row, long now) {
    for (IndexDefinition definition : index.definitions()) {
      List<String> visible = shown(definition, row, now);
      List<List<String>> certain = index.certain(definition, now);
      if (certain.size() > 1 || certain.size() == 1 && !certain.get(0).equals(visible)) {
        return Optional.of(definition.name() + " is certain of " + certain + ", not " + visible);
      }
      if (!certain.isEmpty() && !isMet(definition, row, now)) {
        return Optional.of(definition.name() + " is certain of a row that it should not have");
      }
      List<String> cells =
          definition.heldColumns().stream()
              .map(column -> row.visibleCell(column.qualifier()[1] - '0', now))
              .toList();
      for (List<String> carried : index.carried(definition, now)) {
        if (!carried.equals(cells)) {
          return Optional.of(definition.name() + " carries " + carried + ", not " + cells);
        }
      }
    }
    return Optional.empty();
  }

  private static List<SimCell> batch(Random random, boolean labels, long now) {
    List<SimCell> batch = new ArrayList<>();
    int cells = 1 + random.nextInt(3);
    for (int i = 0; i < cells; i++) {
      long timestamp = now - 6 + random.nextInt(9);
      int column = random.nextInt(COLUMNS);
      int pick = random.nextInt(10);
      Kind kind =
          pick < 6
              ? Kind.PUT
              : pick < 7
                  ? Kind.DELETE_VERSION
                  : pick < 8
                      ? Kind.DELETE_COLUMN
                      : pick < 9 ? Kind.DELETE_FAMILY : Kind.DELETE_FAMILY_VERSION;
      batch.add(
          new SimCell(
              kind.isFamilyWide() ? SimulatedRow.WHOLE_FAMILY : column,
              kind,
              timestamp,
              0,
              0,
              labels && random.nextInt(3) == 0 ? "secret" : null,
              kind == Kind.PUT ? "v" + random.nextInt(4) : null));
    }
    return batch;
  }
}
