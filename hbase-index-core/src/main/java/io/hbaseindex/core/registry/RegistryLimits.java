/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.core.registry;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bounds of a registry. What would pass them is refused, and the region it came from is open.
 *
 * @param bytes bytes of heap for the filters of all regions, staged ones included
 * @param filterSegments segments of one region's filter
 * @param pushMessages messages in one push; the ones beyond are not looked at
 * @param stagingServers so many servers have credit for whole filters at the same time
 * @param silentNanos an entry that nothing was heard of for so long is forgotten
 */
@InterfaceAudience.Private
public record RegistryLimits(
    long bytes, int filterSegments, int pushMessages, int stagingServers, long silentNanos) {
  public RegistryLimits {
    if (bytes < 0
        || filterSegments < 1
        || pushMessages < 1
        || stagingServers < 1
        || silentNanos < 1) {
      throw new IllegalArgumentException(
          "Cannot limit a registry: bytes was "
              + bytes
              + ", segments "
              + filterSegments
              + ", messages "
              + pushMessages
              + ", servers that stage "
              + stagingServers
              + ", silence "
              + silentNanos
              + " ns; bytes must not be negative, the others must be positive");
    }
  }

  /** The product's defaults, with the given memory. */
  public static RegistryLimits ofBytes(long bytes) {
    return new RegistryLimits(bytes, 256, 1 << 17, 4, 60_000_000_000L);
  }
}
