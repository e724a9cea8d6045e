/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.seeds.directory;

import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a search in a directory came to, and what it cost.
 *
 * @param outcome where the search ended
 * @param value the value of the key; present exactly if the outcome is {@link Outcome#FOUND}
 * @param comparisons stored keys that were compared with the one searched for
 */
@InterfaceAudience.Private
public record SearchResult<V>(Outcome outcome, Optional<V> value, int comparisons) {
  /** Where a search ended. */
  public enum Outcome {
    /** At the filter: one of the key's bits is not set. The key is not in the directory. */
    FILTERED,
    /** At the directory: no key has this smallest position. The key is not in the directory. */
    NO_ENTRY,
    /** After comparing all keys of the entry: the key is not in the directory. */
    NOT_AMONG_ENTRY,
    /** At the key. */
    FOUND
  }

  static <V> SearchResult<V> absent(Outcome outcome, int comparisons) {
    return new SearchResult<>(outcome, Optional.empty(), comparisons);
  }

  static <V> SearchResult<V> found(V value, int comparisons) {
    return new SearchResult<>(Outcome.FOUND, Optional.of(value), comparisons);
  }

  /** Whether the filter let the key through, rightly or not, so that keys were compared. */
  public boolean passedFilter() {
    return outcome == Outcome.NOT_AMONG_ENTRY || outcome == Outcome.FOUND;
  }
}
