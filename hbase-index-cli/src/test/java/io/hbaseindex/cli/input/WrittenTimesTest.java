/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.core.definition.ColumnRef;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WrittenTimesTest {
  private static final ColumnRef A = ColumnRef.of("f", "a");
  private static final ColumnRef B = ColumnRef.of("f", "b");

  private static WrittenTimes parse(String by, String timeOf, String since, String before) {
    return WrittenTimes.parse(by, timeOf, since, before).orElseThrow();
  }

  @Test
  void times_areReadAsDaysOfUtcOrMoments() {
    assertThat(parse("day", null, "2026-03-01", "2026-04-01T02:00+02:00").span())
        .isEqualTo(
            CountedTimes.between(
                TimeBucket.DAY,
                Instant.parse("2026-03-01T00:00:00Z"),
                Instant.parse("2026-04-01T00:00:00Z")));
    assertThat(parse("hour", null, null, null).span()).isEqualTo(CountedTimes.all(TimeBucket.HOUR));
    assertThat(WrittenTimes.parse(null, null, null, null)).isEmpty();
  }

  @Test
  void before_betweenTwoMilliseconds_countsTheFirstOfThem() {
    CountedTimes span = parse("day", null, null, "1970-01-01T00:00:00.0051Z").span();
    assertThat(span.contains(5)).isTrue();
    assertThat(span.contains(6)).isFalse();
  }

  @Test
  void column_isTheOnlyOneOfTheCondition_orTheOneNamed() {
    assertThat(parse("day", null, null, null).columnAmong(Set.of(A))).isEqualTo(A);
    assertThat(parse("day", "f:b", null, null).columnAmong(Set.of(A))).isEqualTo(B);
    assertThatThrownBy(() -> parse("day", null, null, null).columnAmong(Set.of()))
        .hasMessage(
            "--by: the query is about the columns []; say by --time-of which one's time is meant");
  }

  @Test
  void text_isAsPreciseAsTheBucket() {
    Instant start = Instant.parse("2026-03-01T00:00:00Z");
    assertThat(parse("hour", null, null, null).text(start)).isEqualTo("2026-03-01T00:00Z");
    assertThat(parse("day", null, null, null).text(start)).isEqualTo("2026-03-01");
    assertThat(parse("month", null, null, null).text(start)).isEqualTo("2026-03");
  }

  @Test
  void nonsense_isRefused() {
    assertThatThrownBy(() -> parse("week", null, null, null))
        .hasMessage("--by: a span of time was \"week\"; write hour, day or month");
    assertThatThrownBy(() -> parse("day", null, "March", null))
        .hasMessage(
            "--since: a time was \"March\"; write a day of UTC such as 2026-03-01, or 2026-03-01T12:00Z");
    assertThatThrownBy(() -> parse("day", null, "2026-03-02", "2026-03-01"))
        .hasMessage("--since was 2026-03-02 and --before was 2026-03-01; let the first be earlier");
    assertThatThrownBy(() -> WrittenTimes.parse(null, null, "2026-03-02", null))
        .hasMessageContaining("belong to --by");
  }
}
