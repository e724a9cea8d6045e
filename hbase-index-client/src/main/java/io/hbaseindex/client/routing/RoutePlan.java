/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.client.routing;

import io.hbaseindex.common.query.PlainScanReason;
import io.hbaseindex.core.route.RowRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The key ranges that one scan reads, and why: all but the regions that were proven to hold no row
 * it asks for.
 *
 * @param table the table that is scanned
 * @param unrouted why the scan was not narrowed; empty if it was
 * @param plain what about the scan itself keeps indexes away; only with {@link
 *     UnroutedReason#SCAN_NOT_ELIGIBLE}
 * @param parts the key ranges to look at, in key order; all keys if the scan was not narrowed
 * @param skippedRegions regions proven not to hold a row that is asked for
 * @param positiveRegions regions whose filter says that they may hold one
 * @param openRegions announced regions whose filter could not be asked
 * @param ageMillis how old the filters were that this was decided by; 0 if the master was asked
 * @param askedBy the sets of columns that filters were asked by, as {@code index(column+column)};
 *     none if the scan was not narrowed
 * @param guessed whether the scan had begun to read, by a guess, before this was known
 */
@InterfaceAudience.Public
public record RoutePlan(
    TableName table,
    Optional<UnroutedReason> unrouted,
    Optional<PlainScanReason> plain,
    List<Part> parts,
    int skippedRegions,
    int positiveRegions,
    int openRegions,
    long ageMillis,
    List<String> askedBy,
    boolean guessed) {

  /**
   * A key range to look at.
   *
   * @param range the keys
   * @param server the server that announced them, if one did
   * @param openReason why no filter was asked about them; empty if one was
   */
  public record Part(RowRange range, Optional<String> server, Optional<String> openReason) {}

  /** Copies the lists. */
  public RoutePlan {
    parts = List.copyOf(parts);
    askedBy = List.copyOf(askedBy);
  }

  /** The same, for a scan that had begun to read before this was known. */
  public RoutePlan afterAGuess() {
    return new RoutePlan(
        table,
        unrouted,
        plain,
        parts,
        skippedRegions,
        positiveRegions,
        openRegions,
        ageMillis,
        askedBy,
        true);
  }

  /** Whether filters were asked where to look. */
  public boolean isRouted() {
    return unrouted.isEmpty();
  }

  /** Whether every key range was judged by a filter. */
  public boolean isPrecise() {
    return isRouted() && parts.stream().allMatch(part -> part.openReason().isEmpty());
  }

  /** The key ranges to look at, in key order. */
  public List<RowRange> ranges() {
    return parts.stream().map(Part::range).toList();
  }

  /** The servers that hold key ranges to look at, as far as they are known. */
  public Set<String> servers() {
    return parts.stream()
        .flatMap(part -> part.server().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
