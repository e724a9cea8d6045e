/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.common.table.IndexedTableDescriptor;
import io.hbaseindex.common.table.TableShape;
import io.hbaseindex.core.definition.ColumnRef;
import io.hbaseindex.core.definition.IndexCondition;
import io.hbaseindex.core.definition.IndexCondition.Operator;
import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.RouteSet;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.definition.ValueType;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingElements;
import io.hbaseindex.core.predicate.IndexScope;
import io.hbaseindex.core.predicate.RowPredicate;
import io.hbaseindex.core.predicate.ValueRange;
import io.hbaseindex.core.route.IndexCoverage;
import io.hbaseindex.core.route.PostingBounds;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RegionJudge;
import io.hbaseindex.core.route.RoutePredicate;
import io.hbaseindex.core.testing.Seeds;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Random rows with missing columns, written, changed and deleted; random indexes with random sets
 * and types, one of them partial; random conditions. A region whose filter, here without any error,
 * knows just the elements of its postings, and their bounds, is never left out if one of its rows
 * meets the condition.
 */
class RouteSetsOracleTest {
  private static final int SEEDS = 400;
  private static final int REGIONS = 5;
  private static final int ROWS = 4;
  private static final int VALUES = 3;
  private static final int QUESTIONS = 40;
  private static final int LONG = 600;
  private static final List<ColumnRef> COLUMNS =
      List.of(
          ColumnRef.of("f", "a"),
          ColumnRef.of("f", "b"),
          ColumnRef.of("f", "c"),
          ColumnRef.of("f", "d"));

  private static final IndexRowKeys KEYS =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[32]).orElseThrow();

  /** A posting's elements, counted, and the sets that the filter was built for. */
  private static final class Region {
    private final Map<Integer, byte[][]> rows = new HashMap<>();
    private final Map<Long, Integer> counts = new HashMap<>();
    private Set<IndexCoverage> covered = Set.of();

    /** Of all postings there ever were: ends do not narrow them. */
    private RegionBounds bounds = RegionBounds.NOTHING;
  }

  private static final class World {
    final Random random;
    final Map<ColumnRef, ValueType> types = new HashMap<>();
    final TableDescriptor table;
    final TableIndexes indexes;
    final Map<IndexDefinition, PostingElements> elements = new HashMap<>();
    final List<Region> regions = new ArrayList<>();
    int excluded;
    int asked;

    World(long seed, boolean typed) {
      this(seed, typed, false);
    }

    World(long seed, boolean typed, boolean partial) {
      random = new Random(seed);
      ValueType[] some = {ValueType.BYTES, ValueType.SHORT, ValueType.DECIMAL};
      COLUMNS.forEach(column -> types.put(column, some[typed ? random.nextInt(3) : 0]));
      table =
          IndexedTableDescriptor.with(
              TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                  .build(),
              index("one").eager(),
              (partial ? index("two").where(rows()) : index("two")).eager());
      indexes = IndexedTableDescriptor.indexesOf(table);
      indexes
          .definitions()
          .forEach(index -> elements.put(index, PostingElements.of(indexes.seed(), index)));
      IntStream.range(0, REGIONS).forEach(number -> regions.add(new Region()));
    }

    /** What rows of a partial index are like. */
    private IndexCondition rows() {
      ColumnRef column = COLUMNS.get(random.nextInt(COLUMNS.size()));
      Operator operator = random.nextBoolean() ? Operator.EQUAL : Operator.AT_LEAST;
      return IndexCondition.of(
          List.of(
              new IndexCondition.Clause(
                  column,
                  List.of(List.of(new IndexCondition.Comparison(operator, value(column)))))));
    }

    IndexDefinition.Builder index(String name) {
      List<ColumnRef> order = new ArrayList<>(COLUMNS);
      Collections.shuffle(order, random);
      List<ColumnRef> columns = order.subList(0, 1 + random.nextInt(COLUMNS.size()));
      IndexDefinition.Builder builder =
          IndexDefinition.on(columns.get(0).family(), columns.get(0).qualifier())
              .as(types.get(columns.get(0)))
              .named(name);
      columns.stream()
          .skip(1)
          .forEach(next -> builder.and(next.family(), next.qualifier()).as(types.get(next)));
      for (int route = random.nextInt(3); route > 0; route--) {
        List<ColumnRef> set = new ArrayList<>(List.of(columns.get(0)));
        columns.stream().skip(1).filter(next -> random.nextBoolean()).forEach(set::add);
        builder.routes(set);
      }
      return builder;
    }

    void write() {
      Region region = regions.get(random.nextInt(REGIONS));
      int row = random.nextInt(ROWS);
      byte[][] before = region.rows.get(row);
      byte[][] after = random.nextInt(5) == 0 ? null : values();
      if (after != null) {
        count(region, after, 1);
        region.rows.put(row, after);
      } else {
        region.rows.remove(row);
      }
      if (before != null) {
        count(region, before, -1);
      }
    }

    byte[][] values() {
      return COLUMNS.stream()
          .map(column -> random.nextInt(3) == 0 ? null : value(column))
          .toArray(byte[][]::new);
    }

    byte[] value(ColumnRef column) {
      byte number = (byte) random.nextInt(VALUES);
      return switch (types.get(column)) {
        case SHORT -> random.nextInt(4) == 0 ? bytes(number) : new byte[] {-1, number};
        case DECIMAL -> random.nextInt(8) == 0 ? bytes(number) : decimal(number);
        default -> bytes(number);
      };
    }

    /** Postings hold no more of long bytes than their beginning, here the same, and a hash. */
    private static byte[] bytes(byte number) {
      byte[] bytes = new byte[number == 0 ? 1 : LONG];
      bytes[bytes.length - 1] = number;
      return bytes;
    }

    /** The same number in two scales, and in bytes that HBase reads but does not write. */
    private byte[] decimal(byte number) {
      return switch (random.nextInt(4)) {
        case 0 -> new byte[] {0, 0, 0, 0, 0, number};
        case 1 -> Bytes.toBytes(BigDecimal.valueOf(number).setScale(1));
        default -> Bytes.toBytes(BigDecimal.valueOf(number));
      };
    }

    RowPredicate range(ColumnRef column) {
      if (types.get(column) == ValueType.DECIMAL && random.nextBoolean()) {
        BigDecimalComparator number =
            new BigDecimalComparator(BigDecimal.valueOf(random.nextInt(VALUES + 1)));
        CompareOperator[] some = {CompareOperator.LESS, CompareOperator.GREATER_OR_EQUAL};
        return NumberComparison.of(column, some[random.nextInt(2)], number).orElseThrow();
      }
      byte[] value = value(column);
      ValueRange range =
          switch (random.nextInt(4)) {
            case 0 -> ValueRange.lessThan(value);
            case 1 -> ValueRange.greaterThan(value);
            case 2 -> ValueRange.startingWith(Arrays.copyOf(value, Math.min(2, value.length)));
            default -> ValueRange.atLeast(value);
          };
      return new RowPredicate.Column(column, range);
    }

    RowPredicate equal(ColumnRef column) {
      if (types.get(column) == ValueType.DECIMAL && random.nextBoolean()) {
        BigDecimalComparator number =
            new BigDecimalComparator(BigDecimal.valueOf(random.nextInt(VALUES)));
        return NumberComparison.of(column, CompareOperator.EQUAL, number).orElseThrow();
      }
      return new RowPredicate.Column(column, ValueRange.equalTo(value(column)));
    }

    /** Starts or ends the postings of a row. */
    void count(Region region, byte[][] row, int by) {
      for (IndexDefinition index : indexes.definitions()) {
        List<byte[]> values =
            index.columns().stream().map(column -> row[COLUMNS.indexOf(column)]).toList();
        boolean in = IndexScope.of(index.condition()).isMet(column -> row[COLUMNS.indexOf(column)]);
        if (in && values.get(0) != null) {
          List<byte[]> posting = List.of(KEYS.key(index, values, new byte[0]));
          region.bounds = region.bounds.with(PostingBounds.of(KEYS, id -> true, posting), 2_000);
          elements
              .get(index)
              .ofKey(
                  KEYS,
                  KEYS.key(index, values, new byte[0]),
                  (space, element) -> region.counts.merge(element, by, World::sum));
        }
      }
    }

    private static Integer sum(int one, int other) {
      return one + other == 0 ? null : one + other;
    }

    /** Filters of some regions were built before some of the sets were declared. */
    void cover() {
      for (Region region : regions) {
        boolean older = random.nextInt(4) == 0;
        Set<IndexCoverage> covered = new HashSet<>();
        for (IndexDefinition index : indexes.definitions()) {
          for (RouteSet set : index.routes()) {
            if (!older || set.isWhole() && random.nextBoolean()) {
              covered.add(
                  new IndexCoverage(
                      set.space(index.id()),
                      index.version(),
                      indexes.seed(),
                      TableShape.of(table)));
            }
          }
        }
        region.covered = covered;
      }
    }

    RowPredicate condition(int depth) {
      if (depth > 0 && random.nextInt(3) > 0) {
        List<RowPredicate> parts =
            IntStream.range(0, 1 + random.nextInt(3)).mapToObj(i -> condition(depth - 1)).toList();
        return random.nextInt(3) > 0 ? RowPredicate.all(parts) : RowPredicate.any(parts);
      }
      ColumnRef column = COLUMNS.get(random.nextInt(COLUMNS.size()));
      return switch (random.nextInt(6)) {
        case 0 -> range(column);
        case 1 -> RowPredicate.any(List.of(equal(column), equal(column)));
        default -> equal(column);
      };
    }

    void ask() {
      ask(condition(3));
    }

    void ask(RowPredicate condition) {
      Optional<RoutePredicate> question = RoutePlanner.of(table, indexes).plan(condition);
      if (question.isEmpty()) {
        return;
      }
      RegionJudge<Region> judge = new RegionJudge<>(question.get(), new ExactProbe());
      for (Region region : regions) {
        boolean out = judge.excludes(region);
        asked++;
        excluded += out ? 1 : 0;
        if (out) {
          assertThat(region.rows.values())
              .as("rows of a region that %s left out, with %s", condition, indexes)
              .noneMatch(row -> condition.test(column -> row[COLUMNS.indexOf(column)]));
        }
      }
    }
  }

  private static final class ExactProbe implements RegionJudge.Probe<Region> {
    @Override
    public boolean covers(Region region, IndexCoverage index) {
      return region.covered.contains(index);
    }

    @Override
    public RegionBounds bounds(Region region) {
      return region.bounds;
    }

    @Override
    public Predicate<Region> mayHold(long hash) {
      return region -> region.counts.containsKey(hash);
    }
  }

  @Test
  void regionThatIsLeftOut_hasNoRowThatMeetsTheCondition() {
    int[] seen = new int[2];
    Seeds.forEach(
        SEEDS,
        seed -> {
          World world = new World(seed, seed % 2 == 0, seed % 3 > 0);
          IntStream.range(0, 60).forEach(write -> world.write());
          world.cover();
          IntStream.range(0, QUESTIONS).forEach(question -> world.ask());
          seen[0] += world.excluded;
          seen[1] += world.asked;
        });
    assertThat(seen[0]).as("left out of %d", seen[1]).isGreaterThan(seen[1] / 4);
  }

  @Test
  void e4_ranges_leaveOutRegions_andNoneThatHasARow() {
    int[] seen = new int[2];
    Seeds.forEach(
        SEEDS,
        seed -> {
          World world = new World(seed, seed % 2 == 0, seed % 3 > 0);
          IntStream.range(0, 8).forEach(write -> world.write());
          world.cover();
          for (int question = 0; question < QUESTIONS; question++) {
            world.ask(world.range(COLUMNS.get(question % COLUMNS.size())));
          }
          seen[0] += world.excluded;
          seen[1] += world.asked;
        });
    assertThat(seen[0]).as("left out of %d", seen[1]).isGreaterThan(seen[1] / 10);
  }

  @Test
  void e1_whenAllRowsAreGone_soAreAllElements() {
    Seeds.forEach(
        SEEDS,
        seed -> {
          World world = new World(seed, seed % 2 == 0, seed % 3 > 0);
          IntStream.range(0, 60).forEach(write -> world.write());
          for (Region region : world.regions) {
            region.rows.values().forEach(row -> world.count(region, row, -1));
            assertThat(region.counts).isEmpty();
          }
        });
  }

  @Test
  void conditionOnJustTheColumnsOfASet_leavesOutExactlyTheOtherRegions() {
    Seeds.forEach(
        SEEDS,
        seed -> {
          World world = new World(seed, false);
          IntStream.range(0, 60).forEach(write -> world.write());
          world.cover();
          for (IndexDefinition index : world.indexes.definitions()) {
            for (RouteSet set : index.routes()) {
              leavesOutExactly(world, set.columnsOf(index), index, set);
            }
          }
        });
  }

  private static void leavesOutExactly(
      World world, List<ColumnRef> columns, IndexDefinition index, RouteSet set) {
    RowPredicate condition =
        RowPredicate.all(
            columns.stream()
                .<RowPredicate>map(
                    column ->
                        new RowPredicate.Column(column, ValueRange.equalTo(world.value(column))))
                .toList());
    RoutePredicate question =
        RoutePlanner.of(world.table, world.indexes).plan(condition).orElseThrow();
    RegionJudge<Region> judge = new RegionJudge<>(question, new ExactProbe());
    IndexCoverage needed =
        new IndexCoverage(
            set.space(index.id()),
            index.version(),
            world.indexes.seed(),
            TableShape.of(world.table));
    for (Region region : world.regions) {
      boolean meets =
          region.rows.values().stream()
              .anyMatch(row -> condition.test(column -> row[COLUMNS.indexOf(column)]));
      if (region.covered.contains(needed)) {
        assertThat(judge.excludes(region)).isNotEqualTo(meets);
      }
    }
  }
}
