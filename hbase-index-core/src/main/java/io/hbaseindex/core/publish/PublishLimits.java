/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.publish;

import java.time.Duration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bounds of a publisher.
 *
 * @param pushBytes a push that has reached this takes no more parts or pages; those wait for the
 *     next one
 * @param chunkBytes bits per part of a whole filter
 * @param pageBytes a page of changes that has reached this is closed and the next one begun
 * @param logBytes a region with more unconfirmed changes than this gives up and is open
 * @param retryNanos how long a region that gave up stays open; doubled each time it gives up again
 * @param maxRetryNanos what doubling stops at
 */
@InterfaceAudience.Private
public record PublishLimits(
    long pushBytes,
    int chunkBytes,
    int pageBytes,
    long logBytes,
    long retryNanos,
    long maxRetryNanos) {
  public PublishLimits {
    requirePositive("bytes of a push", pushBytes);
    requirePositive("bytes of a part", chunkBytes);
    requirePositive("bytes of a page", pageBytes);
    requirePositive("bytes of a log", logBytes);
    requirePositive("time before a retry", retryNanos);
    if (maxRetryNanos < retryNanos) {
      throw new IllegalArgumentException(
          "Cannot limit a publisher: the longest time before a retry was "
              + Duration.ofNanos(maxRetryNanos)
              + "; it must be at least the first one, "
              + Duration.ofNanos(retryNanos));
    }
  }

  /** The product's defaults. */
  public static PublishLimits standard() {
    return new PublishLimits(
        1 << 20,
        1 << 18,
        1 << 15,
        1 << 22,
        Duration.ofSeconds(1).toNanos(),
        Duration.ofSeconds(4).toNanos());
  }

  private static void requirePositive(String what, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(
          "Cannot limit a publisher: the " + what + " was " + value + "; it must be positive");
    }
  }
}
