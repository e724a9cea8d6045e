/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.cli.input;

import io.hbaseindex.common.query.CountedTimes;
import io.hbaseindex.common.query.TimeBucket;
import io.hbaseindex.core.definition.ColumnRef;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The times of a column that rows are to be counted by, as they are typed.
 *
 * @param column the column; empty for that of the condition
 * @param span which times, and how finely
 */
@InterfaceAudience.Private
public record WrittenTimes(Optional<ColumnRef> column, CountedTimes span) {

  /**
   * Reads what was typed; null stands for what was not.
   *
   * @return empty if rows are not counted by time
   * @throws IllegalArgumentException if it makes no sense; the message says what to write
   */
  public static Optional<WrittenTimes> parse(
      String by, String timeOf, String since, String before) {
    if (by == null) {
      if (Stream.of(timeOf, since, before).anyMatch(typed -> typed != null)) {
        throw new IllegalArgumentException(
            "--time-of, --since and --before belong to --by; give hour, day or month by it");
      }
      return Optional.empty();
    }
    TimeBucket bucket = named("--by", () -> TimeBucket.parse(by));
    Instant from = since == null ? Instant.MIN : named("--since", () -> instant(since));
    Instant end = before == null ? Instant.MAX : named("--before", () -> instant(before));
    if (!from.isBefore(end)) {
      throw new IllegalArgumentException(
          "--since was %s and --before was %s; let the first be earlier".formatted(since, before));
    }
    Optional<ColumnRef> column =
        Optional.ofNullable(timeOf).map(text -> named("--time-of", () -> ColumnText.parse(text)));
    return Optional.of(new WrittenTimes(column, CountedTimes.between(bucket, from, end)));
  }

  private interface Reading<T> {
    T read();
  }

  private static <T> T named(String option, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }

  private static Instant instant(String text) {
    try {
      return text.indexOf('T') < 0
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "a time was \"%s\"; write a day of UTC such as 2026-03-01, or 2026-03-01T12:00Z"
              .formatted(text),
          e);
    }
  }

  /**
   * The column that is meant.
   *
   * @param typed all columns of the query
   * @throws IllegalArgumentException if there is none, or more than one, and none is named
   */
  public ColumnRef columnAmong(Set<ColumnRef> typed) {
    if (column.isEmpty() && typed.size() != 1) {
      throw new IllegalArgumentException(
          "--by: the query is about the columns %s; say by --time-of which one's time is meant"
              .formatted(typed));
    }
    return column.orElseGet(() -> typed.iterator().next());
  }

  /** The beginning of a bucket, as precise as that is. */
  public String text(Instant start) {
    String pattern =
        switch (span.bucket()) {
          case HOUR -> "uuuu-MM-dd'T'HH:mm'Z'";
          case DAY -> "uuuu-MM-dd";
          case MONTH -> "uuuu-MM";
        };
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(start.atOffset(ZoneOffset.UTC));
  }
}
