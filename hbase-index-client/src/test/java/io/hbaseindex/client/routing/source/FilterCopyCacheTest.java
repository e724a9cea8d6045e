/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutingSettings;
import io.hbaseindex.client.routing.RoutingTally;
import io.hbaseindex.core.filter.BitPlane;
import io.hbaseindex.core.filter.FilterSnapshot;
import io.hbaseindex.core.filter.SizeClass;
import io.hbaseindex.core.route.RegionBounds;
import io.hbaseindex.core.route.RegionCopy;
import io.hbaseindex.core.route.RowRange;
import io.hbaseindex.core.time.MachineClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class FilterCopyCacheTest {
  private static final TableName ONE = TableName.valueOf("one");
  private static final TableName OTHER = TableName.valueOf("other");
  private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final FilterSnapshot filter = emptyFilter();
  private final long filterBytes = filter.planeBytes();
  private final Source source = new Source();
  private long nanos;
  private long wallMillis;

  private static FilterSnapshot emptyFilter() {
    SizeClass size = SizeClass.forCapacity(1_000, 0.01);
    return new FilterSnapshot(
        List.of(new FilterSnapshot.Segment(0, size, new BitPlane(size.cells()))));
  }

  private FilterCopyCache copies(long bytes) {
    Configuration conf = new Configuration(false);
    conf.setLong(RoutingSettings.COPY_BYTES, bytes);
    return new FilterCopyCache(
        source,
        MachineClock.of(() -> nanos, () -> wallMillis),
        RoutingSettings.of(conf),
        new RoutingTally());
  }

  private void arrive(TableName table) {
    RegionCopy region =
        new RegionCopy(
            RowRange.ALL,
            "server",
            null,
            new RegionCopy.Version("s", 1, table.getNameAsString(), 1, 1, 1),
            List.of(),
            RegionBounds.EVERYTHING,
            filter);
    source
        .underWay
        .remove(table)
        .complete(FiltersReply.of(List.of(region), true, OptionalLong.of(1), false));
  }

  @Test
  void copiesUnderWay_shareTheBoundOfMemory() {
    FilterCopyCache copies = copies(2 * filterBytes);

    copies.get(ONE, BOUND_NANOS);
    copies.get(OTHER, BOUND_NANOS);
    assertThat(source.granted).containsOnly(Map.entry(ONE, 2 * filterBytes));

    arrive(ONE);
    CompletableFuture<Optional<FilterCopyCache.Copy>> other = copies.get(OTHER, BOUND_NANOS);
    assertThat(source.granted).containsEntry(OTHER, filterBytes);
    arrive(OTHER);
    assertThat(other.join()).isPresent();
    assertThat(copies.get(ONE, BOUND_NANOS).join()).isPresent();
  }

  @Test
  void copyThatCameLarger_thanTheOthersLeaveRoomFor_isNotKept() {
    FilterCopyCache copies = copies(2 * filterBytes - 1);
    copies.get(ONE, BOUND_NANOS);
    arrive(ONE);

    CompletableFuture<Optional<FilterCopyCache.Copy>> other = copies.get(OTHER, BOUND_NANOS);
    arrive(OTHER);

    assertThat(other.join()).isEmpty();
    assertThat(copies.get(ONE, BOUND_NANOS).join()).isPresent();
  }

  @Test
  void fetchThatFails_givesItsRoomBack() {
    FilterCopyCache copies = copies(filterBytes);
    copies.get(ONE, BOUND_NANOS);
    source.underWay.remove(ONE).completeExceptionally(new IllegalStateException("gone"));

    CompletableFuture<Optional<FilterCopyCache.Copy>> other = copies.get(OTHER, BOUND_NANOS);
    arrive(OTHER);

    assertThat(other.join()).isPresent();
  }

  @Test
  void copy_afterTheMachineWasSuspended_isTooOld() {
    FilterCopyCache copies = copies(filterBytes);
    copies.get(ONE, BOUND_NANOS);
    arrive(ONE);
    assertThat(copies.get(ONE, BOUND_NANOS).join()).isPresent();

    wallMillis += TimeUnit.HOURS.toMillis(8);

    assertThat(copies.get(ONE, BOUND_NANOS)).as("waits for a fresh one").isNotDone();
  }

  @Test
  void copy_afterTheWallClockWasSetBack_growsOldAllTheSame() {
    FilterCopyCache copies = copies(filterBytes);
    copies.get(ONE, BOUND_NANOS);
    arrive(ONE);

    wallMillis -= TimeUnit.HOURS.toMillis(1);
    nanos += BOUND_NANOS;

    assertThat(copies.get(ONE, BOUND_NANOS)).as("waits for a fresh one").isNotDone();
  }

  @Test
  void copyThatTookTheSuspendToCome_isTooOldForTheScanThatWaited() {
    FilterCopyCache copies = copies(filterBytes);
    CompletableFuture<Optional<FilterCopyCache.Copy>> waiting = copies.get(ONE, BOUND_NANOS);

    wallMillis += TimeUnit.HOURS.toMillis(8);
    arrive(ONE);

    assertThat(waiting.join()).isEmpty();
  }

  /** Holds answers back until a test wants them to arrive. */
  private static final class Source extends FakeRoutes {
    private final Map<TableName, Long> granted = new HashMap<>();
    private final Map<TableName, CompletableFuture<FiltersReply>> underWay = new HashMap<>();

    @Override
    protected CompletableFuture<FiltersReply> filters(
        TableName table, Set<RegionCopy.Version> known, long maxBytes) {
      granted.put(table, maxBytes);
      return underWay.computeIfAbsent(table, name -> new CompletableFuture<>());
    }
  }
}
