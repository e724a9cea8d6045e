/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PrefetchingScannerTest {
  /** So small that any result fills the scanner. */
  private static final long TINY = 1;

  /** Whoever is given the results of the scan that was begun. */
  private AdvancedScanResultConsumer reader;

  private final Configuration conf = new Configuration(false);

  private ResultScanner start(Scan scan) {
    return PrefetchingScanner.start(table(), scan);
  }

  @Test
  void resultsThatComeWhileTheScanIsResumed_suspendItAnew() throws IOException {
    ResultScanner scanner = start(new Scan().setMaxResultSize(TINY));
    Controller second = new Controller(() -> {});
    Controller first = new Controller(() -> give(reader, second, "b"));

    give(reader, first, "a");

    assertThat(key(scanner.next())).isEqualTo("a");
    assertThat(first.calls).containsExactly("suspend", "resume");
    assertThat(second.calls).containsExactly("suspend");
    assertThat(key(scanner.next())).isEqualTo("b");
    assertThat(second.calls).containsExactly("suspend", "resume");
  }

  /** A fact of HBase 2.6.1, and why there is a scanner of our own: HBase's ends never. */
  @Test
  void hbasesOwnScanner_neverResumesAScanThatWasSuspendedMeanwhile() throws Exception {
    Constructor<?> constructor =
        Class.forName("org.apache.hadoop.hbase.client.AsyncTableResultScanner")
            .getDeclaredConstructor(TableName.class, Scan.class, long.class);
    constructor.setAccessible(true);
    ResultScanner scanner =
        (ResultScanner) constructor.newInstance(TableName.valueOf("t"), new Scan(), TINY);
    AdvancedScanResultConsumer itself = (AdvancedScanResultConsumer) scanner;
    Controller second = new Controller(() -> {});
    Controller first = new Controller(() -> give(itself, second, "b"));

    give(itself, first, "a");

    assertThat(key(scanner.next())).isEqualTo("a");
    assertThat(key(scanner.next())).isEqualTo("b");
    assertThat(second.calls).as("of the scan that waits for ever").containsExactly("suspend");
  }

  @Test
  void scanGoesOn_whileThereIsRoom() throws IOException {
    ResultScanner scanner = start(new Scan());
    Controller controller = new Controller(() -> {});

    give(reader, controller, "a");
    give(reader, controller, "b");
    reader.onComplete();

    assertThat(controller.calls).isEmpty();
    assertThat(key(scanner.next())).isEqualTo("a");
    assertThat(key(scanner.next())).isEqualTo("b");
    assertThat(scanner.next()).isNull();
  }

  @Test
  void scanIsResumed_whenHalfIsTaken() throws IOException {
    long size = Result.getTotalSizeOfCells(row("a"));
    ResultScanner scanner = start(new Scan().setMaxResultSize(2 * size));
    Controller controller = new Controller(() -> {});

    for (String key : List.of("a", "b", "c", "d")) {
      give(reader, controller, key);
    }

    assertThat(controller.calls).containsExactly("suspend");
    scanner.next();
    assertThat(controller.calls).containsExactly("suspend");
    scanner.next();
    assertThat(controller.calls).containsExactly("suspend", "resume");
  }

  @Test
  void failure_isToldAfterTheResultsThatCameBeforeIt() throws IOException {
    ResultScanner scanner = start(new Scan());

    give(reader, new Controller(() -> {}), "a");
    reader.onError(new IOException("gone"));

    assertThat(key(scanner.next())).isEqualTo("a");
    assertThatThrownBy(scanner::next).isInstanceOf(IOException.class).hasMessageContaining("gone");
  }

  @Test
  void scannerThatIsClosed_resumesTheScan_whichIsToldToEnd() throws IOException {
    ResultScanner scanner = start(new Scan().setMaxResultSize(TINY));
    Controller suspended = new Controller(() -> {});
    Controller later = new Controller(() -> {});

    give(reader, suspended, "a");
    scanner.close();
    give(reader, later, "b");
    reader.onHeartbeat(later);

    assertThat(suspended.calls).containsExactly("suspend", "resume");
    assertThat(later.calls).containsExactly("terminate", "terminate");
    assertThat(scanner.next()).isNull();
  }

  @Test
  void scannerThatIsClosed_endsTheScanAtOnce_ifHBaseLetsIt() {
    ResultScanner scanner = start(new Scan().setMaxResultSize(TINY));
    Ending ending = new Ending();

    reader.onNext(
        new Result[] {row("a")},
        new Controller(() -> {}) {
          @Override
          public AdvancedScanResultConsumer.ScanResumer suspend() {
            return ending;
          }
        });
    scanner.close();

    assertThat(ending.calls).containsExactly("terminate");
  }

  /** As HBase's own, which is of a class that nobody sees. */
  private static final class Ending implements AdvancedScanResultConsumer.ScanResumer {
    private final List<String> calls = new ArrayList<>();

    @Override
    public void resume() {
      calls.add("resume");
    }

    public void terminate() {
      calls.add("terminate");
    }
  }

  @Test
  void sizeThatMakesNoSense_doesNotStopTheScan() throws IOException {
    conf.setLong(HConstants.HBASE_CLIENT_SCANNER_MAX_RESULT_SIZE_KEY, -1);
    ResultScanner scanner = start(new Scan());
    Controller controller = new Controller(() -> {});

    give(reader, controller, "a");
    scanner.next();

    assertThat(controller.calls).containsExactly("suspend", "resume");
  }

  @Test
  void cursors_areGivenWhereTheyAreWanted() throws IOException {
    ResultScanner scanner = start(new Scan().setNeedCursorResult(true));
    reader.onHeartbeat(new Controller(() -> {}));
    assertThat(scanner.next().getCursor().getRow()).isEqualTo(Bytes.toBytes("cursor"));

    ResultScanner without = start(new Scan());
    reader.onHeartbeat(new Controller(() -> {}));
    reader.onComplete();
    assertThat(without.next()).isNull();
  }

  private static void give(AdvancedScanResultConsumer to, Controller controller, String key) {
    to.onNext(new Result[] {row(key)}, controller);
  }

  private static Result row(String key) {
    return Result.create(
        List.of(
            new KeyValue(
                Bytes.toBytes(key), Bytes.toBytes("f"), Bytes.toBytes("q"), Bytes.toBytes("v"))));
  }

  private static String key(Result result) {
    return Bytes.toString(result.getRow());
  }

  /** Keeps what it is told. */
  private static class Controller implements AdvancedScanResultConsumer.ScanController {
    private final List<String> calls = new ArrayList<>();
    private final Runnable onResume;

    Controller(Runnable onResume) {
      this.onResume = onResume;
    }

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      calls.add("suspend");
      return () -> {
        calls.add("resume");
        onResume.run();
      };
    }

    @Override
    public void terminate() {
      calls.add("terminate");
    }

    @Override
    public Optional<Cursor> cursor() {
      return Optional.of(ClientUtil.createCursor(Bytes.toBytes("cursor")));
    }
  }

  @SuppressWarnings("unchecked")
  private AsyncTable<AdvancedScanResultConsumer> table() {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxy.newProxyInstance(
            AsyncTable.class.getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConfiguration")) {
                return conf;
              }
              assertThat(method.getName()).isEqualTo("scan");
              reader = (AdvancedScanResultConsumer) arguments[1];
              return null;
            });
  }
}
