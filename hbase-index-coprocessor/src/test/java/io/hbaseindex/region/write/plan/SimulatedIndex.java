/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.write.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.core.definition.IndexDefinition;
import io.hbaseindex.core.definition.TableIndexes;
import io.hbaseindex.core.entry.CarriedCells;
import io.hbaseindex.core.entry.IndexRowKeys;
import io.hbaseindex.core.entry.PostingCertainty;
import io.hbaseindex.core.entry.PostingState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The indexes of a simulated row of family f, whose column n is {@code f:cn}. */
final class SimulatedIndex {
  static final byte[] ROW = {'r'};

  private final IndexRowKeys keys =
      IndexRowKeys.ofRegion(new byte[0], new byte[0], new byte[] {1}).orElseThrow();
  private final IndexedColumns columns;
  private final List<RowPostings> indexes;
  private final Map<byte[], PostingState> stored = new TreeMap<>(Arrays::compareUnsigned);
  private final Map<String, Integer> planned = new TreeMap<>();
  private final Map<byte[], byte[]> values = new TreeMap<>(Arrays::compareUnsigned);

  SimulatedIndex(Retention retention, IndexDefinition... definitions) {
    TableIndexes table = TableIndexes.none();
    for (IndexDefinition definition : definitions) {
      table = table.with(definition, () -> 1);
    }
    columns = new IndexedColumns(table.definitions());
    List<Retention> retentions = Collections.nCopies(columns.size(), retention);
    indexes =
        table.definitions().stream()
            .map(d -> new RowPostings(d, keys, columns, retentions))
            .toList();
  }

  List<IndexDefinition> definitions() {
    return indexes.stream().map(RowPostings::definition).toList();
  }

  /** The definition of this name, with the id that its postings have. */
  IndexDefinition definition(String name) {
    return definitions().stream().filter(d -> d.name().equals(name)).findFirst().orElseThrow();
  }

  /** Plans a batch over what is stored, as the product does, and writes what was planned. */
  void write(List<SimulatedRow.SimCell> storedCells, List<SimulatedRow.SimCell> batch, long now)
      throws UnindexableRowException {
    PostingPlan plan = plan(changeOf(batch), versionsOf(storedCells), now);
    for (PostingPlan.Planned posting : plan.postings()) {
      boolean live = stored.get(posting.key()) == PostingState.LIVE;
      planned.merge((live ? "live, " : "not live, ") + posting.before(), 1, Integer::sum);
    }
    keep(plan);
  }

  /** How often a posting was live or not before a batch, and what the plan knew of it. */
  Map<String, Integer> planned() {
    return planned;
  }

  private void keep(PostingPlan plan) {
    for (PostingPlan.Planned posting : plan.postings()) {
      stored.put(posting.key(), posting.state());
      values.put(posting.key(), posting.value());
    }
  }

  private RowChange changeOf(List<SimulatedRow.SimCell> batch) {
    RowChange change = new RowChange(ROW, columns);
    for (SimulatedRow.SimCell cell : batch) {
      Version version = versionOf(cell, Version.AT_HAND);
      if (cell.column() == SimulatedRow.WHOLE_FAMILY) {
        change.addToFamily(0, version);
      } else {
        change.add(0, cell.column(), version);
      }
    }
    return change;
  }

  private PostingPlan plan(RowChange change, RowVersions versions, long now)
      throws UnindexableRowException {
    PostingPlan plan = new PostingPlan();
    for (RowPostings index : indexes) {
      if (change.touches(index)) {
        boolean blind = !PostingPlan.needsStored(index, change);
        plan.add(index, change, blind ? null : versions, now);
      }
    }
    return plan;
  }

  /**
   * Whether a batch can be planned from the newest stored cells; fails unless it comes to the same
   * plan as from everything.
   */
  boolean isPlannedFrom(
      List<SimulatedRow.SimCell> newest,
      List<SimulatedRow.SimCell> everything,
      List<SimulatedRow.SimCell> batch,
      long now)
      throws UnindexableRowException {
    RowChange change = changeOf(batch);
    RowVersions fewer = versionsOf(newest);
    if (!change.isDecidedBy(fewer)) {
      return false;
    }
    assertThat(described(plan(change, fewer, now)))
        .isEqualTo(described(plan(change, versionsOf(everything), now)));
    return true;
  }

  private static List<String> described(PostingPlan plan) {
    return plan.postings().stream()
        .map(
            p ->
                Arrays.toString(p.key())
                    + p.state()
                    + Arrays.toString(p.value())
                    + p.before()
                    + plan.hasHidden())
        .toList();
  }

  /** Looks at every live posting again, as the stale worker does with those it is told of. */
  void endStale(List<SimulatedRow.SimCell> storedCells, long now) throws UnindexableRowException {
    RowVersions versions = versionsOf(storedCells);
    PostingPlan plan = new PostingPlan();
    for (RowPostings index : indexes) {
      List<byte[]> suspects = liveKeys(index.definition());
      plan.setRight(index, ROW, versions, suspects, false, now);
    }
    keep(plan);
  }

  private List<byte[]> liveKeys(IndexDefinition definition) {
    List<byte[]> result = new ArrayList<>();
    stored.forEach(
        (key, state) -> {
          if (state == PostingState.LIVE && keys.indexIdOf(key, 0, key.length) == definition.id()) {
            result.add(key);
          }
        });
    return result;
  }

  private RowVersions versionsOf(List<SimulatedRow.SimCell> cells) {
    RowVersions versions = new RowVersions(columns);
    for (SimulatedRow.SimCell cell : cells) {
      Version version = versionOf(cell, cell.sequence());
      if (cell.column() == SimulatedRow.WHOLE_FAMILY) {
        versions.addToFamily(0, version);
      } else {
        versions.add(cell.column(), version);
      }
    }
    return versions;
  }

  private static Version versionOf(SimulatedRow.SimCell cell, long sequence) {
    return new Version(
        cell.kind(),
        cell.timestamp(),
        sequence,
        cell.label() != null,
        false,
        cell.label() != null,
        bytes(cell.value()));
  }

  /** The live postings of one index, each as its values, absent ones as null. */
  List<List<String>> live(IndexDefinition definition) {
    return values(liveKeys(definition), definition);
  }

  /** The postings of one index that answer for the row at a time, as {@link #live} has them. */
  List<List<String>> certain(IndexDefinition definition, long now) {
    List<byte[]> keysOf = liveKeys(definition);
    keysOf.removeIf(key -> certainUntil(values.get(key)) < now);
    return values(keysOf, definition);
  }

  private static long certainUntil(byte[] value) {
    return PostingCertainty.until(value, 0, value.length);
  }

  /**
   * What the certain postings of one index carry at a time: for each a cell per column of the index
   * and per included one, as value and timestamp.
   */
  List<List<String>> carried(IndexDefinition definition, long now) {
    List<List<String>> carried = new ArrayList<>();
    for (byte[] key : liveKeys(definition)) {
      List<byte[]> indexed = keys.parse(key, definition.columns().size()).values();
      CarriedCells.in(values.get(key), indexed.size(), definition.included().size())
          .filter(cells -> cells.until() >= now && certainUntil(values.get(key)) >= now)
          .ifPresent(cells -> carried.add(texts(indexed, cells)));
    }
    return carried;
  }

  private static List<String> texts(List<byte[]> indexed, CarriedCells cells) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < indexed.size(); i++) {
      byte[] value = indexed.get(i);
      texts.add(value == null ? text(null) : text(value) + "@" + cells.timestamps().get(i));
    }
    for (CarriedCells.Cell cell : cells.included()) {
      texts.add(cell == null ? text(null) : text(cell.value()) + "@" + cell.timestamp());
    }
    return texts;
  }

  private List<List<String>> values(List<byte[]> keysOf, IndexDefinition definition) {
    return keysOf.stream()
        .map(key -> keys.parse(key, definition.columns().size()))
        .map(posting -> posting.values().stream().map(SimulatedIndex::text).toList())
        .toList();
  }

  private static byte[] bytes(String value) {
    return value == null ? null : value.getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(byte[] value) {
    return value == null ? "(absent)" : new String(value, StandardCharsets.US_ASCII);
  }
}
