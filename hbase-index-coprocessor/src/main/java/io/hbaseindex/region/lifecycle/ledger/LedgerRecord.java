/* Part of hbase-index. SPDX-License-Identifier: Apache-2.0 (see the file LICENSE) */
package io.hbaseindex.region.lifecycle.ledger;

import io.hbaseindex.region.context.FilterCustody;
import java.util.Arrays;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a region has written down about its indexes: which are built, how far the others are, and
 * the store files for which that is true; and whether anybody may trust a filter of the region.
 *
 * @param incarnation the incarnation of the region that wrote this; of no use to any other
 * @param trusted whether a filter that the region has published may be trusted somewhere
 * @param indexes the indexes that are built or being built, by id
 * @param files the store files of all families, as {@code family/name}; with any other set of files
 *     the record is void
 * @param filter the stored filter that belongs to these files, if there is one
 */
@InterfaceAudience.Private
public record LedgerRecord(
    long incarnation,
    boolean trusted,
    NavigableMap<Integer, Entry> indexes,
    NavigableSet<String> files,
    Optional<FilterCustody.Held> filter) {

  public LedgerRecord {
    indexes = Collections.unmodifiableNavigableMap(new TreeMap<>(indexes));
    files = Collections.unmodifiableNavigableSet(new TreeSet<>(files));
  }

  /** A record of a region that has built nothing, and of whose past nothing is known. */
  static LedgerRecord empty(long incarnation) {
    return new LedgerRecord(incarnation, true, new TreeMap<>(), new TreeSet<>(), Optional.empty());
  }

  LedgerRecord withTrust(boolean newTrusted) {
    return new LedgerRecord(incarnation, newTrusted, indexes, files, filter);
  }

  LedgerRecord withIndexes(NavigableMap<Integer, Entry> newIndexes) {
    return new LedgerRecord(incarnation, trusted, newIndexes, files, filter);
  }

  LedgerRecord withNothingBuilt() {
    return withIndexes(new TreeMap<>()).withFilter(Optional.empty());
  }

  LedgerRecord withFiles(NavigableSet<String> newFiles) {
    return new LedgerRecord(incarnation, trusted, indexes, newFiles, filter);
  }

  LedgerRecord withFilter(Optional<FilterCustody.Held> newFilter) {
    return new LedgerRecord(incarnation, trusted, indexes, files, newFilter);
  }

  /**
   * How far one index is.
   *
   * @param fingerprint the fingerprint of the definition that was built
   * @param checkpoint the first row that is not known to be indexed; empty when the index is built
   * @param certainAfter the latest timestamp of a posting when the index began to be built
   */
  public record Entry(int fingerprint, Optional<byte[]> checkpoint, long certainAfter) {

    public static Entry built(int fingerprint, long certainAfter) {
      return new Entry(fingerprint, Optional.empty(), certainAfter);
    }

    static Entry building(int fingerprint, byte[] checkpoint, long certainAfter) {
      return new Entry(fingerprint, Optional.of(checkpoint.clone()), certainAfter);
    }

    public boolean isBuilt() {
      return checkpoint.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Entry that
          && fingerprint == that.fingerprint
          && certainAfter == that.certainAfter
          && Arrays.equals(checkpoint.orElse(null), that.checkpoint.orElse(null));
    }

    @Override
    public int hashCode() {
      return Objects.hash(fingerprint, certainAfter, Arrays.hashCode(checkpoint.orElse(null)));
    }

    @Override
    public String toString() {
      return "definition " + fingerprint + (isBuilt() ? ", built" : ", building");
    }
  }
}
