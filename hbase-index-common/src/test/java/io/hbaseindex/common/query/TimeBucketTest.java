/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimeBucketTest {
  private static long millis(String time) {
    return Instant.parse(time).toEpochMilli();
  }

  @Test
  void startOf_cutsInUtc_leapDaysAndTimesBefore1970Too() {
    long leap = millis("2024-02-29T23:59:59.999Z");
    assertThat(TimeBucket.HOUR.startOf(leap)).isEqualTo(millis("2024-02-29T23:00:00Z"));
    assertThat(TimeBucket.DAY.startOf(leap)).isEqualTo(millis("2024-02-29T00:00:00Z"));
    assertThat(TimeBucket.MONTH.startOf(leap)).isEqualTo(millis("2024-02-01T00:00:00Z"));
    assertThat(TimeBucket.DAY.startOf(leap + 1)).isEqualTo(leap + 1);
    assertThat(TimeBucket.MONTH.startOf(leap + 1)).isEqualTo(leap + 1);
    assertThat(TimeBucket.HOUR.startOf(-1)).isEqualTo(millis("1969-12-31T23:00:00Z"));
    assertThat(TimeBucket.MONTH.startOf(-1)).isEqualTo(millis("1969-12-01T00:00:00Z"));
  }

  @Test
  void startOf_isThatOfTheCalendar() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 10_000; i++) {
      long time = random.nextLong(millis("1900-01-01T00:00:00Z"), millis("2200-01-01T00:00:00Z"));
      Instant at = Instant.ofEpochMilli(time);
      assertThat(TimeBucket.HOUR.startOf(time))
          .isEqualTo(at.truncatedTo(ChronoUnit.HOURS).toEpochMilli());
      assertThat(TimeBucket.DAY.startOf(time))
          .isEqualTo(at.truncatedTo(ChronoUnit.DAYS).toEpochMilli());
      assertThat(TimeBucket.MONTH.startOf(time))
          .isEqualTo(
              YearMonth.from(at.atOffset(ZoneOffset.UTC))
                  .atDay(1)
                  .atStartOfDay(ZoneOffset.UTC)
                  .toInstant()
                  .toEpochMilli());
    }
  }

  @Test
  void startOf_ofAnyTimestamp_isNotLaterAndDoesNotFail() {
    for (TimeBucket bucket : TimeBucket.values()) {
      assertThat(bucket.startOf(Long.MAX_VALUE)).isPositive().isLessThan(Long.MAX_VALUE);
      assertThat(bucket.startOf(0)).isZero();
      for (long time = Long.MIN_VALUE;
          time < Long.MIN_VALUE + 10_000_000_000L;
          time += 50_000_000) {
        assertThat(bucket.startOf(time)).isNegative();
      }
    }
  }

  @Test
  void names_areReadBack() {
    for (TimeBucket bucket : TimeBucket.values()) {
      assertThat(TimeBucket.parse(bucket.keyword())).isEqualTo(bucket);
    }
    assertThatThrownBy(() -> TimeBucket.parse("week"))
        .hasMessage("a span of time was \"week\"; write hour, day or month");
  }

  @Test
  void span_holdsItsFirstTimeAndNotItsEnd_andRoundsUp() {
    CountedTimes span =
        CountedTimes.between(
            TimeBucket.DAY, Instant.ofEpochMilli(5).plusNanos(1), Instant.ofEpochMilli(9));
    assertThat(span.contains(5)).isFalse();
    assertThat(span.contains(6)).isTrue();
    assertThat(span.contains(8)).isTrue();
    assertThat(span.contains(9)).isFalse();
    CountedTimes all = CountedTimes.between(TimeBucket.DAY, Instant.MIN, Instant.MAX);
    assertThat(all).isEqualTo(CountedTimes.all(TimeBucket.DAY));
    assertThat(all.contains(Long.MAX_VALUE)).isTrue();
    assertThat(all.contains(Long.MIN_VALUE)).isTrue();
  }

  @Test
  void span_thatEndsBeforeItBegins_isRefused() {
    assertThatThrownBy(() -> new CountedTimes(TimeBucket.DAY, 1_000, 1_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot count by time: from was 1970-01-01T00:00:01Z and before was 1970-01-01T00:00:01Z; let the first be earlier");
  }
}
