/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How finely rows are counted by the time that a cell was written at, which is its timestamp in ms
 * since 1970. Hours, days and months are those of UTC.
 */
@InterfaceAudience.Public
public enum TimeBucket {
  /** Sixty minutes. */
  HOUR,
  /** From midnight to midnight. */
  DAY,
  /** A month of the calendar. */
  MONTH;

  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  /** Of times before this one, no bucket has a beginning that a long can hold. */
  private static final long EARLIEST = Long.MIN_VALUE + Duration.ofDays(31).toMillis();

  /**
   * When the hour, day or month began that a time falls in. The first month that there is, some 292
   * million years ago, is taken together with the second.
   *
   * @param time in ms since 1970
   */
  public long startOf(long time) {
    long millis = Math.max(time, EARLIEST);
    return switch (this) {
      case HOUR -> millis - Math.floorMod(millis, HOUR_MILLIS);
      case DAY -> millis - Math.floorMod(millis, DAY_MILLIS);
      case MONTH ->
          Instant.ofEpochMilli(millis)
              .atOffset(ZoneOffset.UTC)
              .truncatedTo(ChronoUnit.DAYS)
              .withDayOfMonth(1)
              .toInstant()
              .toEpochMilli();
    };
  }

  /** The name that {@link #parse} reads. */
  public String keyword() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The bucket of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static TimeBucket parse(String keyword) {
    for (TimeBucket bucket : values()) {
      if (bucket.keyword().equals(keyword)) {
        return bucket;
      }
    }
    throw new IllegalArgumentException(
        "a span of time was \"%s\"; write hour, day or month".formatted(keyword));
  }
}
