/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.background;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.region.lifecycle.background.PacedTask.Outcome;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class PacedTaskTest {

  private record Planned(long nanos, Runnable task) {}

  private final Deque<Planned> plan = new ArrayDeque<>();
  private final Deque<Outcome> outcomes = new ArrayDeque<>();
  private final List<Long> retries = new ArrayList<>();
  private final Pacer pacer = new Pacer(() -> 0, () -> 1_000);
  private int steps;
  private boolean gateOpen = true;
  private PacedTask.Step step = () -> outcomes.removeFirst();
  private final PacedTask task = task((nanos, run) -> plan.add(new Planned(nanos, run)));

  @Test
  void wake_runsUntilDone() {
    outcomes.add(Outcome.more(10));
    outcomes.add(Outcome.done(0));

    task.wake();
    runAll();

    assertThat(steps).isEqualTo(2);
  }

  @Test
  void wake_waitsBetweenStepsAsThePacerSays() {
    outcomes.add(Outcome.more(10));

    task.wake();
    assertThat(plan.getFirst().nanos()).isZero();
    plan.removeFirst().task().run();

    assertThat(plan.getFirst().nanos()).isEqualTo(10_000_000);
  }

  @Test
  void wake_twice_runsOneStepAtATime() {
    task.wake();
    task.wake();

    assertThat(plan).hasSize(1);
  }

  @Test
  void wake_duringTheLastStep_runsAnother() {
    step =
        () -> {
          if (steps == 1) {
            task.wake();
          }
          return Outcome.done(0);
        };

    task.wake();
    runAll();

    assertThat(steps).isEqualTo(2);
  }

  @Test
  void wake_afterDone_runsAgain() {
    step = () -> Outcome.done(0);
    task.wake();
    runAll();
    task.wake();
    runAll();

    assertThat(steps).isEqualTo(2);
  }

  @Test
  void stop_noFurtherStep() {
    task.wake();
    task.stop();
    runAll();
    task.wake();

    assertThat(steps).isZero();
    assertThat(plan).isEmpty();
  }

  @Test
  void failure_isRetriedLaterAndLaterUpToAMinute() {
    step =
        () -> {
          throw new IOException("not now");
        };
    task.wake();
    for (int i = 0; i < 9; i++) {
      plan.removeFirst().task().run();
    }

    assertThat(retries)
        .containsExactly(
            1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
    assertThat(plan.getFirst().nanos()).isEqualTo(60_000_000_000L);
  }

  @Test
  void failure_unchecked_isRetriedToo() {
    step =
        () -> {
          throw new IllegalStateException("a bug");
        };
    task.wake();
    plan.removeFirst().task().run();

    assertThat(plan).hasSize(1);
  }

  @Test
  void failure_byAnError_isRetriedToo() {
    step =
        () -> {
          throw new OutOfMemoryError("for now");
        };
    task.wake();
    plan.removeFirst().task().run();

    assertThat(plan).hasSize(1);
    assertThat(retries).containsExactly(1_000L);
  }

  @Test
  void failure_atTheGate_isRetriedToo() {
    PacedTask gated =
        new PacedTask(
            "test",
            (nanos, run) -> plan.add(new Planned(nanos, run)),
            pacer,
            () -> {
              throw new IllegalStateException("a bug");
            },
            () -> Outcome.done(0),
            (failure, retryMillis) -> retries.add(retryMillis));
    gated.wake();
    plan.removeFirst().task().run();

    assertThat(plan).hasSize(1);
    assertThat(retries).containsExactly(1_000L);
  }

  @Test
  void failure_afterStop_isNotReported() {
    step =
        () -> {
          task.stop();
          throw new IOException("closing");
        };
    task.wake();
    runAll();

    assertThat(retries).isEmpty();
    assertThat(plan).isEmpty();
  }

  @Test
  void gateClosed_stepsWaitUntilItOpens() {
    step = () -> Outcome.done(0);
    gateOpen = false;
    task.wake();
    for (int i = 0; i < 3; i++) {
      plan.removeFirst().task().run();
      assertThat(plan.getFirst().nanos()).isEqualTo(50_000_000);
    }
    assertThat(steps).isZero();

    gateOpen = true;
    runAll();
    assertThat(steps).isEqualTo(1);
  }

  @Test
  void gateClosed_stop_endsTheWaiting() {
    gateOpen = false;
    task.wake();
    task.stop();
    runAll();

    assertThat(plan).isEmpty();
  }

  @Test
  void executorShutDown_taskEnds() {
    PacedTask rejected =
        task(
            (nanos, run) -> {
              throw new RejectedExecutionException();
            });
    rejected.wake();

    assertThat(rejected.isStopped()).isTrue();
  }

  private PacedTask task(PacedTask.Scheduler scheduler) {
    return new PacedTask(
        "test",
        scheduler,
        pacer,
        () -> gateOpen,
        () -> {
          steps++;
          return step.run();
        },
        (failure, retryMillis) -> retries.add(retryMillis));
  }

  private void runAll() {
    while (!plan.isEmpty()) {
      plan.removeFirst().task().run();
    }
  }
}
