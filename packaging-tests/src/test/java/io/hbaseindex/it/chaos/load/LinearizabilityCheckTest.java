/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.it.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.hbaseindex.it.chaos.ask.Way;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinearizabilityCheckTest {
  private static Operation write(String value, long start, long end) {
    return new Operation("w", Operation.WRITE, "k", value, null, start, end, "ok");
  }

  private static Operation unknown(String value, long start) {
    return new Operation("w", Operation.WRITE, "k", value, null, start, start + 1, "unknown");
  }

  private static Operation lookup(String value, long start, long end, boolean found) {
    String result = found ? "found" : "absent";
    return new Operation("r", Operation.LOOKUP, "k", value, Way.STRONG, start, end, result);
  }

  @Test
  void acknowledgedValue_found_holds() {
    assertThat(
            LinearizabilityCheck.holds(
                List.of(write("a", 0, 10), lookup("a", 11, 12, true), lookup("b", 11, 12, false))))
        .isTrue();
  }

  @Test
  void acknowledgedValue_missed_fails() {
    assertThat(LinearizabilityCheck.holds(List.of(write("a", 0, 10), lookup("a", 11, 12, false))))
        .isFalse();
  }

  @Test
  void overwrittenValue_found_fails() {
    assertThat(
            LinearizabilityCheck.holds(
                List.of(write("a", 0, 10), write("b", 11, 20), lookup("a", 21, 22, true))))
        .isFalse();
  }

  @Test
  void deletedValue_found_fails() {
    assertThat(
            LinearizabilityCheck.holds(
                List.of(write("a", 0, 10), write(null, 11, 20), lookup("a", 21, 22, true))))
        .isFalse();
  }

  @Test
  void lookupDuringAWrite_mayGoEitherWay_butNotBackAgain() {
    Operation write = write("a", 0, 100);
    assertThat(
            LinearizabilityCheck.holds(
                List.of(write, lookup("a", 10, 20, false), lookup("a", 30, 40, true))))
        .isTrue();
    assertThat(
            LinearizabilityCheck.holds(
                List.of(write, lookup("a", 10, 20, true), lookup("a", 30, 40, false))))
        .isFalse();
  }

  @Test
  void unknownWrite_mayHappenLate_orNever_butNotTwice() {
    Operation unknown = unknown("b", 11);
    assertThat(
            LinearizabilityCheck.holds(
                List.of(
                    write("a", 0, 10),
                    unknown,
                    lookup("a", 50, 60, true),
                    lookup("b", 70, 80, true))))
        .isTrue();
    assertThat(
            LinearizabilityCheck.holds(
                List.of(write("a", 0, 10), unknown, lookup("a", 50, 60, true))))
        .isTrue();
    assertThat(
            LinearizabilityCheck.holds(
                List.of(
                    write("a", 0, 10),
                    unknown,
                    lookup("b", 50, 60, true),
                    lookup("a", 70, 80, true))))
        .isFalse();
  }
}
