/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FilterRoomTest {
  private long now = 11;
  private final FilterRoom room = new FilterRoom(() -> now);

  private final class Region implements FilterRoom.Tenant {
    private long held;
    private long lacking;
    private double usefulness;

    Region(long held, long lacking, double usefulness) {
      this.held = held;
      this.lacking = lacking;
      this.usefulness = usefulness;
      room.add(this);
    }

    @Override
    public long heldBytes() {
      return held;
    }

    @Override
    public long lackingBytes() {
      return lacking;
    }

    @Override
    public double usefulness() {
      return usefulness;
    }

    @Override
    public void leave() {
      lacking = held;
      held = 0;
    }

    @Override
    public void enter() {
      held = lacking;
      lacking = 0;
    }
  }

  private Region with(long bytes, double usefulness) {
    return new Region(bytes, 0, usefulness);
  }

  private Region without(long bytes, double usefulness) {
    return new Region(0, bytes, usefulness);
  }

  private void exchange() {
    assertThat(room.look()).isEqualTo(UpkeepTask.Need.FILE);
    room.run();
  }

  private void assertRest() {
    assertThat(room.look()).isEqualTo(UpkeepTask.Need.NOTHING);
    room.run();
  }

  @Test
  void run_regionOfMuchMoreUse_takesTheRoomOfTheLeastUseful() {
    Region useful = with(100, 50);
    Region idle = with(100, 1);
    Region asked = without(100, 20);
    exchange();
    assertThat(asked.held).isEqualTo(100);
    assertThat(idle.held).isZero();
    assertThat(useful.held).isEqualTo(100);
  }

  @Test
  void run_regionOfLittleMoreUse_hasToWait() {
    Region one = with(100, 11);
    without(100, 20);
    assertRest();
    assertThat(one.held).isEqualTo(100);
    one.usefulness = 9;
    exchange();
    assertThat(one.held).isZero();
  }

  @Test
  void run_severalSmallOnesOrNone_makeRoomForALargeOne() {
    Region small = with(60, 1);
    Region other = with(60, 2);
    Region large = without(100, 7);
    exchange();
    assertThat(large.held).isEqualTo(100);
    assertThat(small.held + other.held).isZero();
    large.leave();
    room.remove(small);
    small.enter();
    other.enter();
    now += FilterRoom.EXCHANGE_NANOS;
    assertRest();
    assertThat(other.held).as("alone it would not do").isEqualTo(60);
  }

  @Test
  void run_forRegionsThatNobodyAsks_movesNobody() {
    with(100, 0);
    without(100, 0);
    assertRest();
  }

  @Test
  void run_again_isOnceAMinuteAtMost() {
    with(100, 0);
    with(100, 0);
    Region first = without(100, 5);
    Region second = without(100, 4);
    exchange();
    assertThat(first.held).isPositive();
    now += FilterRoom.EXCHANGE_NANOS - 1;
    assertRest();
    assertThat(second.held).isZero();
    now++;
    exchange();
    assertThat(second.held).isPositive();
    now += FilterRoom.EXCHANGE_NANOS;
    assertRest();
  }
}
