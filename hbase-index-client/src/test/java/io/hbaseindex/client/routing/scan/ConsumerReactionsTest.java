/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.client.routing.RoutePlan;
import io.hbaseindex.client.routing.plan.RoutePlans;
import io.hbaseindex.core.route.RouteAnswer;
import io.hbaseindex.core.route.RouteAnswer.Candidate;
import io.hbaseindex.core.route.RowRange;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

/**
 * A consumer that suspends, ends the scan, or throws, in every order, while parts speak and end as
 * those of HBase do: it is told of one end, of nothing behind it, and no part begins in vain.
 */
class ConsumerReactionsTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int PARTS = 2;
  private static final int EVENTS_OF_A_PART = 2;

  /** What the consumer does when it is told something. */
  private enum Reaction {
    NONE,
    SUSPEND,
    TERMINATE,
    THROW,
    SUSPEND_AND_THROW,
    TERMINATE_AND_THROW;

    boolean endsTheScan() {
      return this != NONE && this != SUSPEND;
    }

    boolean throwsUp() {
      return name().endsWith("THROW");
    }
  }

  @Test
  void everyOrderOfReactions_endsOnceAndTellsNothingAfterwards() {
    Reaction[] reactions = new Reaction[PARTS * EVENTS_OF_A_PART];
    int orders = (int) Math.pow(Reaction.values().length, reactions.length);
    for (int order = 0; order < orders; order++) {
      int rest = order;
      for (int i = 0; i < reactions.length; i++) {
        reactions[i] = Reaction.values()[rest % Reaction.values().length];
        rest /= Reaction.values().length;
      }
      requireOneEnd(reactions);
    }
  }

  private static void requireOneEnd(Reaction[] reactions) {
    Run run = new Run(new ArrayDeque<>(List.of(reactions)));
    run.scan();
    Optional<Reaction> last = Arrays.stream(reactions).filter(Reaction::endsTheScan).findFirst();
    int told = last.map(end -> Arrays.asList(reactions).indexOf(end) + 1).orElse(reactions.length);
    List<String> expected = new ArrayList<>();
    IntStream.range(0, told).forEach(i -> expected.add("told"));
    expected.add(last.isPresent() && last.get().throwsUp() ? "error" : "end");
    assertThat(run.told).as(Arrays.toString(reactions)).isEqualTo(expected);
    assertThat(run.begun)
        .as("parts of %s", Arrays.toString(reactions))
        .isEqualTo((told + EVENTS_OF_A_PART - 1) / EVENTS_OF_A_PART);
  }

  /** One scan, of parts that HBase would read. */
  private static final class Run {
    private final Deque<Reaction> reactions;
    private final List<String> told = new ArrayList<>();
    private final List<AdvancedScanResultConsumer.ScanResumer> resumers = new ArrayList<>();
    private AdvancedScanResultConsumer part;
    private int begun;

    Run(Deque<Reaction> reactions) {
      this.reactions = reactions;
    }

    void scan() {
      new OrderedConsumer(table(), new Scan(), new Reacting(), WaitingParts.RegionEnds.UNKNOWN, 1)
          .start(plan());
      for (int read = 0; read < begun; read++) {
        AdvancedScanResultConsumer reading = part;
        Controller controller = new Controller();
        for (int event = 0; event < EVENTS_OF_A_PART && !controller.terminated; event++) {
          controller = new Controller();
          if (event == 1) {
            reading.onHeartbeat(controller);
          } else {
            reading.onNext(new Result[0], controller);
          }
          resumers.forEach(AdvancedScanResultConsumer.ScanResumer::resume);
          resumers.clear();
        }
        reading.onComplete();
      }
    }

    private static RoutePlan plan() {
      List<Candidate> candidates =
          IntStream.range(0, PARTS)
              .mapToObj(
                  i -> new RowRange(new byte[] {(byte) (2 * i)}, new byte[] {(byte) (2 * i + 1)}))
              .map(range -> new Candidate(range, "server", null))
              .toList();
      return RoutePlans.routed(TABLE, new RouteAnswer(candidates, 0, PARTS, 0), 0, List.of());
    }

    @SuppressWarnings("unchecked")
    private AsyncTable<AdvancedScanResultConsumer> table() {
      return (AsyncTable<AdvancedScanResultConsumer>)
          Proxy.newProxyInstance(
              AsyncTable.class.getClassLoader(),
              new Class<?>[] {AsyncTable.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("scan")) {
                  part = (AdvancedScanResultConsumer) arguments[1];
                  begun++;
                }
                return switch (method.getName()) {
                  case "getName" -> TABLE;
                  case "getConfiguration" -> new Configuration(false);
                  default -> null;
                };
              });
    }

    /** The user's consumer. */
    private final class Reacting implements AdvancedScanResultConsumer {
      @Override
      public void onNext(Result[] results, ScanController at) {
        react(at);
      }

      @Override
      public void onHeartbeat(ScanController at) {
        react(at);
      }

      private void react(ScanController at) {
        told.add("told");
        Reaction reaction = reactions.remove();
        if (reaction.name().startsWith("SUSPEND")) {
          resumers.add(at.suspend());
        } else if (reaction.name().startsWith("TERMINATE")) {
          at.terminate();
        }
        if (reaction.throwsUp()) {
          throw new IllegalStateException("consumer's own");
        }
      }

      @Override
      public void onError(Throwable error) {
        told.add("error");
      }

      @Override
      public void onComplete() {
        told.add("end");
      }
    }
  }

  /** HBase's controller of a part, for one call; it is told one thing. */
  private static final class Controller implements AdvancedScanResultConsumer.ScanController {
    private boolean used;
    private boolean terminated;

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      use();
      return () -> {};
    }

    @Override
    public void terminate() {
      use();
      terminated = true;
    }

    private void use() {
      assertThat(used).as("a controller is told one thing").isFalse();
      used = true;
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.empty();
    }
  }
}
