/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.common.query;

import java.time.Instant;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The times of cells that rows are counted by, and how finely.
 *
 * @param bucket how finely
 * @param from the first time, in ms since 1970
 * @param before the first time that is too late; {@link Long#MAX_VALUE} if none is, itself included
 */
@InterfaceAudience.Public
public record CountedTimes(TimeBucket bucket, long from, long before) {

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if the first does not lie before the second
   */
  public CountedTimes {
    if (from >= before) {
      throw new IllegalArgumentException(
          "Cannot count by time: from was %s and before was %s; let the first be earlier"
              .formatted(Instant.ofEpochMilli(from), Instant.ofEpochMilli(before)));
    }
  }

  /** All times. */
  public static CountedTimes all(TimeBucket bucket) {
    return new CountedTimes(bucket, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** Times from one on and before another, to the millisecond. */
  public static CountedTimes between(TimeBucket bucket, Instant from, Instant before) {
    return new CountedTimes(bucket, millis(from), millis(before));
  }

  /** Rounded up: the first ms that is not earlier. What is out of reach is as far as can be. */
  private static long millis(Instant time) {
    if (time.isBefore(Instant.ofEpochMilli(Long.MIN_VALUE))) {
      return Long.MIN_VALUE;
    }
    if (time.isAfter(Instant.ofEpochMilli(Long.MAX_VALUE - 1))) {
      return Long.MAX_VALUE;
    }
    long floor = time.toEpochMilli();
    return Instant.ofEpochMilli(floor).equals(time) ? floor : floor + 1;
  }

  /** Whether a cell of this time is counted. */
  public boolean contains(long timestamp) {
    return timestamp >= from && (timestamp < before || before == Long.MAX_VALUE);
  }

  /** The span that {@link #toString} has written. */
  static CountedTimes parse(String text) {
    String[] words = text.split(" ");
    if (words.length == 1) {
      return all(TimeBucket.parse(words[0]));
    }
    if (words.length != 3) {
      throw new IllegalArgumentException("hour, day or month is wanted, and maybe two times");
    }
    return new CountedTimes(
        TimeBucket.parse(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
  }

  /** As it is sent: {@code day}, or {@code day 1772323200000 1775001600000}. */
  @Override
  public String toString() {
    return equals(all(bucket))
        ? bucket.keyword()
        : "%s %d %d".formatted(bucket.keyword(), from, before);
  }
}
