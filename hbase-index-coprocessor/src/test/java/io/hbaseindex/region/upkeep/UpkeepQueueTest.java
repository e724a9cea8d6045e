/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.region.upkeep.UpkeepTask.Need;
import org.junit.jupiter.api.Test;

class UpkeepQueueTest {
  private final UpkeepQueue queue = new UpkeepQueue(2);
  private long now = -17;

  private final class Region implements UpkeepTask {
    private Need need;
    private long asked;
    private int looks;

    Region(Need need, long asked) {
      this.need = need;
      this.asked = asked;
      queue.add(this, now);
    }

    @Override
    public Need look() {
      looks++;
      if (need == null) {
        throw new IllegalStateException("it cannot be looked at");
      }
      return need;
    }

    @Override
    public long asked() {
      return asked;
    }

    @Override
    public void run() {
      throw new AssertionError("the queue runs nothing");
    }
  }

  private UpkeepQueue.Taken take(Region expected) {
    UpkeepQueue.Taken taken = queue.take(now).orElseThrow();
    assertThat(taken.task()).isSameAs(expected);
    return taken;
  }

  private void assertNothing() {
    assertThat(queue.take(now)).isEmpty();
  }

  @Test
  void take_severalNeeds_theMostPressingIsFirstAndThenWhoIsAskedMost() {
    Region better = new Region(Need.BETTER_FILTER, 1_000_000);
    Region seldom = new Region(Need.FIRST_FILTER, 1);
    Region often = new Region(Need.FIRST_FILTER, 9);
    Region file = new Region(Need.FILE, 0);
    for (Region next : new Region[] {file, often, seldom, better}) {
      UpkeepQueue.Taken taken = take(next);
      next.need = Need.NOTHING;
      queue.done(taken, now);
    }
    assertNothing();
  }

  /** Its indexes are ready only when it is open, some milliseconds after it has come. */
  @Test
  void take_regionThatHasJustCome_isLookedAtOften_andRarelyLater() {
    Region opening = new Region(Need.NOTHING, 0);
    assertNothing();
    opening.need = Need.FILE;
    now += UpkeepQueue.LOOK_NANOS / 10;
    UpkeepQueue.Taken taken = take(opening);
    opening.need = Need.NOTHING;
    queue.done(taken, now);

    now += 20 * UpkeepQueue.LOOK_NANOS;
    assertNothing();
    opening.need = Need.FILE;
    now += UpkeepQueue.LOOK_NANOS - 1;
    assertNothing();
    now++;
    take(opening);
  }

  @Test
  void take_asManyBuildsAsMayBe_onlyFilesGoOn() {
    Region first = new Region(Need.FIRST_FILTER, 3);
    Region second = new Region(Need.FIRST_FILTER, 2);
    Region third = new Region(Need.FIRST_FILTER, 1);
    Region file = new Region(Need.FILE, 0);
    UpkeepQueue.Taken ofFile = take(file);
    UpkeepQueue.Taken ofFirst = take(first);
    take(second);
    assertNothing();
    queue.done(ofFile, now);
    assertNothing();
    queue.done(ofFirst, now);
    take(third);
    assertNothing();
  }

  @Test
  void take_twice_isNotTheSameTaskBeforeItIsDoneAndLookedAtAgain() {
    Region region = new Region(Need.FIRST_FILTER, 1);
    UpkeepQueue.Taken taken = take(region);
    now += 10 * UpkeepQueue.LOOK_NANOS;
    assertNothing();
    queue.done(taken, now);
    assertNothing();
    now += UpkeepQueue.LOOK_NANOS;
    take(region);
  }

  @Test
  void take_oftenInShortTime_looksOnce() {
    Region region = new Region(Need.NOTHING, 1);
    now += 20 * UpkeepQueue.LOOK_NANOS;
    assertNothing();
    now += UpkeepQueue.LOOK_NANOS - 1;
    assertNothing();
    assertThat(region.looks).isEqualTo(1);
    region.need = Need.FILE;
    now++;
    take(region);
  }

  @Test
  void take_whileItWaitsItIsAskedMore_movesForward() {
    Region one = new Region(Need.FIRST_FILTER, 5);
    Region other = new Region(Need.FIRST_FILTER, 4);
    new Region(Need.FIRST_FILTER, 9);
    new Region(Need.FIRST_FILTER, 8);
    UpkeepQueue.Taken longBuild = queue.take(now).orElseThrow();
    queue.take(now);
    assertNothing();
    other.asked = 6;
    now += UpkeepQueue.LOOK_NANOS;
    queue.done(longBuild, now);
    take(other);
    assertThat(one.need).isEqualTo(Need.FIRST_FILTER);
  }

  @Test
  void take_aTaskThatCannotBeLookedAt_doesNotStopTheOthers() {
    new Region(null, 1);
    Region region = new Region(Need.FILE, 1);
    take(region);
  }

  @Test
  void remove_whileItRuns_leavesItsPlaceToOthers() {
    Region first = new Region(Need.FIRST_FILTER, 3);
    Region second = new Region(Need.FIRST_FILTER, 2);
    Region third = new Region(Need.FIRST_FILTER, 1);
    UpkeepQueue.Taken taken = take(first);
    take(second);
    queue.remove(first);
    assertNothing();
    queue.done(taken, now);
    take(third);
    now += UpkeepQueue.LOOK_NANOS;
    assertNothing();
  }
}
